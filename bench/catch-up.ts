import { writeFile } from 'node:fs/promises'
import type { Bench } from './bench.ts'
import { installComparison } from './comparison.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { getProject } from './material.ts'
import { connectWith, holds, holdsAllOf, until } from './mesh.ts'
import type { Replicated } from './pouch-peer.ts'
import { median } from './rounds.ts'
import { answerOf, type Running, type Workshop } from './workshop.ts'

const PROJECTS = 20
const CONTRACTS = 10_000
/** What PouchDB is fastest with here; its default is 100. */
const POUCH_BATCH = 500

/** Design §9, row 4: a new peer gets everything, against PouchDB replicating the same documents. */
export async function catchUp({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`catch-up of a new peer with ${CONTRACTS} contracts`)
  installComparison(progress)
  const rounds = brevity > 1 ? 1 : 3
  const directory = workshop.folder()
  const { projectIds, statements } = await workshop.fill({
    directory,
    projects: PROJECTS,
    contracts: CONTRACTS,
  })
  const daemon = await workshop.daemon(directory, { open: true })
  const documents = await documentsOf(daemon, projectIds)
  const documentsFile = `${workshop.folder()}.json`
  const text = JSON.stringify(documents)
  await writeFile(documentsFile, text)
  const pouch = await workshop.server('pouch-server.ts', workshop.folder(), documentsFile)

  const last = documents.reduce((a, b) => (a.contract_id > b.contract_id ? a : b))
  const ours: number[] = []
  const theirs: number[] = []
  const theirsTuned: number[] = []
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`)
    ours.push(await ourCatchUp(workshop, { from: daemon, last, name: `peer-${round}` }))
    theirs.push(await pouchCatchUp(workshop, pouch, {}))
    theirsTuned.push(await pouchCatchUp(workshop, pouch, { batchSize: POUCH_BATCH }))
  }
  await Promise.all([daemon.stop(), pouch.stop()])

  const perSecond = (times: readonly number[]) => CONTRACTS / (median(times) / 1000)
  const spread = `${Math.min(...ours).toFixed(0)} to ${Math.max(...ours).toFixed(0)} ms`
  const bytesEach = Math.round(Buffer.byteLength(text) / CONTRACTS)
  const against = (
    { name, least }: { name: string; least: number },
    times: readonly number[],
    note: string,
  ) =>
    figure({
      name: `catch-up of a new peer, ${CONTRACTS} contracts ÷ ${name}`,
      unit: 'contracts/s',
      ours: perSecond(ours),
      comparedWith: { name, value: perSecond(times) },
      ratio: perSecond(ours) / perSecond(times),
      goal: { of: 'ratio', least },
      notes: [note],
    })
  return [
    against(
      { name: 'PouchDB', least: 5 },
      theirs,
      `${statements} statements, ${bytesEach} bytes per contract as JSON; from adding the peer until it holds all: ` +
        `median ${median(ours).toFixed(0)} ms of ${rounds} (${spread}), PouchDB ${median(theirs).toFixed(0)} ms; ` +
        'the receivers are new processes each time, both sides on disk, ours synced; PouchDB with its default ' +
        'options (LevelDB, batches of 100) from express-pouchdb',
    ),
    against(
      { name: `PouchDB, batch_size ${POUCH_BATCH}`, least: 3 },
      theirsTuned,
      `the same, with the batches that suit PouchDB best: ${median(theirsTuned).toFixed(0)} ms`,
    ),
  ]
}

/** Ids grow with time and statements go in the order they were made: the last one comes last. */
async function ourCatchUp(
  workshop: Workshop,
  { from, last, name }: { from: Running; last: Document; name: string },
): Promise<number> {
  const peer = await workshop.daemon(workshop.folder(), { name, open: true })
  const begin = performance.now()
  const added = connectWith(from, peer)
  await until('the last contract is there', () => holds(peer, last.project_id, last.contract_id), 5)
  await until('the peer holds all', () => holdsAllOf(peer, from), 5)
  const took = performance.now() - begin
  await added
  await peer.stop()
  return took
}

async function pouchCatchUp(
  workshop: Workshop,
  from: Running,
  options: { batchSize?: number },
): Promise<number> {
  const peer = workshop.fork('pouch-peer.ts', workshop.folder())
  await answerOf(peer, 'pouch-peer.ts')
  peer.send({ url: `http://127.0.0.1:${from.port}/contracts`, ...options })
  const { ms, documents } = await answerOf<Replicated>(peer, 'pouch-peer.ts')
  if (documents !== CONTRACTS) throw new Error(`PouchDB replicated ${documents} of ${CONTRACTS}`)
  peer.kill()
  return ms
}

interface Document {
  _id: string
  project_id: string
  contract_id: string
}

/** Every contract as cacpd shows it, and of which project it is. */
async function documentsOf(daemon: Running, projectIds: readonly string[]): Promise<Document[]> {
  const documents: Document[] = []
  for (const project_id of projectIds) {
    const { contracts } = await callOnce<{ contracts: { contract_id: string }[] }>(
      daemon,
      getProject(project_id),
    )
    for (const contract of contracts) documents.push({ _id: contract.contract_id, project_id, ...contract })
  }
  return documents
}
