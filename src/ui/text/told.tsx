import { Quoted } from './foreign.tsx'
import type { Sentence } from './sentence.ts'

/** A sentence in our words, with what others wrote in quotes. */
export function Told({ of, most = 200 }: { readonly of: Sentence; readonly most?: number }) {
  return of.map((part, index) =>
    typeof part === 'string' ? part : <Quoted key={index} text={part.quoted} most={most} />,
  )
}
