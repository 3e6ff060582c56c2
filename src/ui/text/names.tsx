import { Quoted } from './foreign.tsx'

/** Names that others gave, one after the other. */
export function Names({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index === 0 ? '' : index === names.length - 1 ? ' and ' : ', '}
      <Quoted text={name} most={60} />
    </span>
  ))
}
