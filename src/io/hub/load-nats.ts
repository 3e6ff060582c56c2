import { hubFault } from '../../domain/hub/trouble.ts'

/**
 * The only place that loads the packages of NATS, and only where a hub is configured. Kept, because an upgrade of the
 * program removes the files of a running one.
 */
let nats: Promise<Nats> | undefined

export type Nats = typeof import('@nats-io/transport-node') &
  typeof import('@nats-io/jetstream') &
  Pick<typeof import('@nats-io/kv'), 'Kvm'> &
  Pick<typeof import('@nats-io/obj'), 'Objm'>

export function loadNats(): Promise<Nats> {
  nats ??= load().catch((error: unknown) => {
    nats = undefined
    throw hubFault('other', 'The part of the program that reaches hubs cannot be loaded', {
      next: 'It was upgraded or moved: start the daemon anew, with `cacpd down` and `cacpd up -d`',
      cause: error,
    })
  })
  return nats
}

async function load(): Promise<Nats> {
  const [core, jetstream, { Kvm }, { Objm }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
    import('@nats-io/kv'),
    import('@nats-io/obj'),
  ])
  return { ...core, ...jetstream, Kvm, Objm }
}
