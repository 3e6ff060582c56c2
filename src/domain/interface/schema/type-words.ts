import { ATOM_TYPES, type Normal } from './atom.ts'

/** Such as `string`, `integer or string`, `anything`. */
export function typeWords({ atoms }: Normal): string {
  const types = ATOM_TYPES.filter((type) => atoms.some((atom) => atom.type === type))
  if (types.length === 0) return 'nothing'
  if (types.length === ATOM_TYPES.length) return 'anything'
  const words = types.map((type) => {
    const same = atoms.filter((atom) => atom.type === type)
    return type === 'number' && same.every(({ isInteger }) => isInteger) ? 'integer' : type
  })
  return words.sort((a, b) => Number(a === 'null') - Number(b === 'null')).join(' or ')
}
