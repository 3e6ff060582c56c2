import { RouteTable } from '../../src/domain/mock/routes.ts'
import { Tally } from '../../src/domain/mock/tally.ts'
import { createFits } from '../../src/io/mock/fit-check.ts'
import { startProxy } from '../../src/io/mock/proxy.ts'
import { endWithParent, tell } from '../child.ts'
import { SERVED } from './served-contract.ts'

/** A proxy before the server at this port, which judges every exchange. */
endWithParent()
const tally = new Tally(createFits())
const table = new RouteTable([SERVED])
const { url } = await startProxy({
  upstream: new URL(`http://127.0.0.1:${process.argv[2]}`),
  port: 0,
  observe: ({ exchange }) => tally.note(table, exchange),
})
tell({ port: Number(new URL(url).port) })
