import { RouteTable } from '../../src/domain/mock/routes.ts'
import { startMock } from '../../src/io/mock/mock-server.ts'
import { endWithParent, tell } from '../child.ts'
import { SERVED } from './served-contract.ts'

/** The mock of one contract, as a process of its own. */
endWithParent()
const tables = { served: new RouteTable([SERVED]), proposed: new RouteTable([]) }
const { url } = await startMock(() => tables, {
  port: 0,
  seed: 1,
  isLenient: false,
  delayMillis: 0,
  failShare: 0,
  tell: () => {},
})
tell({ port: Number(new URL(url).port) })
