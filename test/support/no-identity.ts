import type { RotatingIdentity } from '../../src/engine/ports.ts'

const nothingIsSigned = async (): Promise<never> => {
  throw new Error('nothing is signed here')
}

/** For simulations, whose daemons are open: real signatures would take real time, another one in every run. */
export const NO_IDENTITY: RotatingIdentity = {
  publicKey: { kty: 'OKP', crv: 'Ed25519', x: '' },
  keyId: '',
  rotations: [],
  publicKeys: () => [],
  sign: nothingIsSigned,
  signBytes: nothingIsSigned,
  verifyOwn: async () => undefined,
  rotate: nothingIsSigned,
}
