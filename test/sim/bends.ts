import type { admit } from '../../src/domain/statements/admit.ts'
import type { placeKeyOf } from '../../src/domain/statements/kinds.ts'

/** Other functions in the place of real ones; a test that mocks their modules asks for them at every call. */
export interface Bends {
  readonly admit?: (real: typeof admit) => typeof admit
  readonly placeKeyOf?: (real: typeof placeKeyOf) => typeof placeKeyOf
  /** Changes something for the time of a story. */
  readonly install?: () => Disposable
}

/** Puts another function in the place of a method. */
export function replacingMethod<Of extends object, Name extends keyof Of>(
  of: Of,
  name: Name,
  make: (real: Of[Name]) => Of[Name],
): Disposable {
  const real = of[name]
  of[name] = make(real)
  return {
    [Symbol.dispose]: () => {
      of[name] = real
    },
  }
}
