import { LongText } from './long-text.tsx'

/** What was asked, as data. */
export function RequestDetails({ request }: { readonly request: object }) {
  return (
    <details>
      <summary>The whole request</summary>
      <LongText text={JSON.stringify(request, null, 2)} label="The whole request" />
    </details>
  )
}
