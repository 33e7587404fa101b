import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { formatHost } from '../../api/core/localAccess.ts'
import { type CommandContext, hasConfiguredNetwork } from '../Command.ts'
import { operatorAccessOf } from '../operations/operatorAccess.ts'
import { reserveHttpPort } from '../start/prepareNetwork.ts'
import { NetworkProcess, type Shown } from './NetworkProcess.ts'
import { openFront } from './openFront.ts'
import { type PlannedNetwork, planNetworks } from './planNetworks.ts'

const TOKEN_BYTES = 24
const STARTING_MS = 60_000
/** For a process to close what it has open, beyond the drain. */
const GRACE_MS = 15_000

/** Serves several networks at one port: each in a process of its own, behind a front in this one, until shutdown. */
export const runNetworks = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show, commandLine, workingDir, version, program } = context
  const planned = await planNetworks(context)
  const http = await reserveHttpPort(context)
  const url = `http://${formatHost(http.host)}:${http.port}`
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const closeTimeoutMs = config.drainDelay + config.drainTimeout + GRACE_MS
  const processes = planned.map(
    ({ name, also, base }) =>
      new NetworkProcess({
        name,
        start: { ...commandLine, also, workingDir, version, program, front: { token, url: `${url}${base}` } },
        logger: logger.child({ network: name }),
        closeTimeoutMs,
      }),
  )
  const front = await openFront({
    networks: planned.map(({ name, config: { virtualHosts: hosts } }, at) => ({
      name,
      hosts,
      process: processes[at]!,
    })),
    token,
    socket: http.socket,
    operations: findOperations(planned, context),
    allowedHosts: config.allowedHosts.map((host) => host.toLowerCase()),
  })
  // The front forwards while the networks drain.
  shutdown.add('front', () => front.close())
  const close = () => Promise.all(processes.map((each) => each.close()))
  shutdown.add('networks', close, closeTimeoutMs + GRACE_MS)
  const stopped = new Promise<undefined>((done) =>
    shutdown.signal.addEventListener('abort', () => done(undefined), { once: true }),
  )
  const firsts = await Promise.race([Promise.all(processes.map(({ first }) => within(first))), stopped])
  if (firsts === undefined) return
  show(describeNetworks(planned, firsts, { url, operations: front.operations }))
  await stopped
}

/** A network may wait for its liteservers for long, while the others are served. */
const within = (first: NetworkProcess['first']): NetworkProcess['first'] =>
  Promise.race([first, delay(STARTING_MS, 'it is still starting.', { ref: false })])

/** Where all networks are private to this machine, operator endpoints are at the public port. */
const findOperations = (planned: readonly PlannedNetwork[], { config }: CommandContext) => {
  const isEmbedded = planned.every((network) => !hasConfiguredNetwork(network.config))
  const access = operatorAccessOf(config, { isEmbedded })
  return access.mode === 'private' ? undefined : access.address
}

/** Start-up output: text for people, JSON for programs. */
const describeNetworks = (
  planned: readonly PlannedNetwork[],
  firsts: readonly (Shown | string)[],
  { url, operations }: { readonly url: string; readonly operations: string | undefined },
): Shown => {
  const parts = planned.map(({ name, base }, at) => {
    const first = firsts[at]!
    const failed = typeof first === 'string'
    const text = failed ? `Not served yet: ${first}` : first.text.replace(/\n+Press Ctrl-C to stop\.$/, '')
    return {
      name,
      text: `Network ${name}: ${text}`,
      value: failed ? { url: `${url}${base}`, failure: first } : first.value,
    }
  })
  const ready = [`All networks: ${url}/ready${operations === undefined ? '' : `, ${operations}/metrics`}`]
  return {
    text: [...parts.map(({ text }) => text), ...ready, 'Press Ctrl-C to stop.'].join('\n\n'),
    value: {
      url,
      ...(operations !== undefined && { operations }),
      networks: Object.fromEntries(parts.map(({ name, value }) => [name, value])),
    },
  }
}
