import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBlockIdExt, parseBlockIdExt } from '../../primitives/BlockId.ts'
import type { ForkPoint } from '../fork/ForkSource.ts'
import { ControlInputError, NetworkFolderError } from './errors.ts'
import { expectWhole, LAST_UTIME } from './NetworkControls.ts'
import { WELL_KNOWN_SEED } from './networkKeys.ts'

/** What makes a network the one it is, and how its clock stands: all that is needed besides its blocks to go on with it. */
export type NetworkFacts = {
  /** Its keys and its randomness come from this text. */
  readonly seed: string
  /** The accounts of the developer come from this one. */
  readonly accountSeed: string
  readonly globalId: number
  /** How many shards the basechain has at least; a power of two. */
  readonly shards: number
  /** The time of its first states. */
  readonly startTime: number
  readonly clock: 'machine' | 'virtual'
  /** Seconds that the clock was moved ahead by hand. */
  readonly clockOffset: number
  /** Set for a fork of another network. */
  readonly fork?: ForkFacts | undefined
}

/** Where a fork comes from. */
export type ForkFacts = {
  /** The forked network as `--fork` names it. */
  readonly name: string
  readonly point: ForkPoint
}

const NAME = 'network.json'
const FORMAT = 1

/** The facts of the network in a folder; `undefined` where there is none yet. */
export const readNetworkFile = async (folder: string): Promise<NetworkFacts | undefined> => {
  const path = join(folder, NAME)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new NetworkFolderError(`The file ${path} cannot be read.`, { cause })
  }
  const facts = parseFacts(text)
  if (facts === undefined) {
    throw new NetworkFolderError(
      `The file ${path} does not describe a network that this version can resume. Use --reset to create a new one.`,
    )
  }
  return facts
}

/** Writes the file so that there is always either the old one or the new one, whole. */
export const writeNetworkFile = async (folder: string, facts: NetworkFacts): Promise<void> => {
  const path = join(folder, NAME)
  await mkdir(folder, { recursive: true })
  await writeFile(
    `${path}.new`,
    `${JSON.stringify({ format: FORMAT, ...facts, fork: facts.fork && formatFork(facts.fork) }, undefined, 2)}\n`,
    {
      mode: 0o600,
      flush: true,
    },
  )
  await rename(`${path}.new`, path)
}

const parseFacts = (text: string): NetworkFacts | undefined => {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || value['format'] !== FORMAT) return undefined
  const { seed, accountSeed, globalId, shards, startTime, clock, clockOffset } = value
  const areNumbers = [globalId, shards, startTime, clockOffset].every(Number.isSafeInteger)
  const areTexts = typeof seed === 'string' && typeof accountSeed === 'string'
  if (!areTexts || !areNumbers || (clock !== 'machine' && clock !== 'virtual')) return undefined
  const facts = { seed, accountSeed, globalId, shards, startTime, clock, clockOffset } as NetworkFacts
  return value['fork'] === undefined ? facts : { ...facts, fork: parseFork(value['fork'] as StoredFork) }
}

type StoredFork = { name: string; block: string; utime: number; endLt: string; globalId: number }

const formatFork = ({ name, point: { block, utime, endLt, globalId } }: ForkFacts): StoredFork => ({
  name,
  block: formatBlockIdExt(block),
  utime,
  endLt: endLt.toString(),
  globalId,
})

const parseFork = ({ name, block, utime, endLt, globalId }: StoredFork): ForkFacts => ({
  name,
  point: { block: parseBlockIdExt(block), utime, endLt: BigInt(endLt), globalId },
})

/** What may be said of a network before it begins. What is left out is chosen, or is as the folder has it. */
export type RequestedFacts = {
  readonly seed?: string | undefined
  readonly shards?: number | undefined
  readonly globalId?: number | undefined
  /** Second at which a clock begins that only blocks and the developer move. */
  readonly startTime?: number | undefined
  /** Forks another network at a masterchain block, by default the newest. */
  readonly fork?: { readonly name: string; readonly block?: number | undefined } | undefined
}

const GLOBAL_ID = -777
const MAX_SEED = 256
const SHARD_COUNTS = [1, 2, 4, 8, 16]

/** The facts of the network in a folder, or of a new one, which are written there. */
export const chooseFacts = async (
  folder: string | undefined,
  requested: RequestedFacts,
  getPoint?: (name: string, seqno: number | undefined) => Promise<ForkPoint>,
): Promise<NetworkFacts> => {
  checkRequested(requested)
  const stored = folder === undefined ? undefined : await readNetworkFile(folder)
  if (stored !== undefined) {
    expectSame(stored, requested)
    return stored
  }
  const { fork } = requested
  const point = fork && (await getPoint?.(fork.name, fork.block))
  const now = Math.floor(Date.now() / 1000)
  if (point !== undefined && (requested.startTime ?? point.utime) < point.utime) {
    throw new ControlInputError(
      `The fork block has the time ${point.utime}; the network cannot start before it, at ${requested.startTime}.`,
    )
  }
  const facts: NetworkFacts = {
    // A network with a virtual clock is to be the same every time.
    seed: requested.seed ?? (requested.startTime === undefined ? randomBytes(16).toString('hex') : WELL_KNOWN_SEED),
    accountSeed: requested.seed ?? WELL_KNOWN_SEED,
    globalId: requested.globalId ?? point?.globalId ?? GLOBAL_ID,
    shards: requested.shards ?? 1,
    startTime: requested.startTime ?? point?.utime ?? now,
    clock: requested.startTime === undefined ? 'machine' : 'virtual',
    // The clock of a fork goes on from its block.
    clockOffset: point === undefined || requested.startTime !== undefined ? 0 : point.utime - now,
    ...(fork !== undefined && point !== undefined && { fork: { name: fork.name, point } }),
  }
  if (folder !== undefined) await writeNetworkFile(folder, facts)
  return facts
}

const checkRequested = ({ seed, shards, startTime }: RequestedFacts): void => {
  if (seed !== undefined && (seed.length === 0 || seed.length > MAX_SEED)) {
    throw new ControlInputError(`Expected a seed of 1 to ${MAX_SEED} characters, but got ${seed.length}.`)
  }
  if (shards !== undefined && !SHARD_COUNTS.includes(shards)) {
    throw new ControlInputError(`Expected ${SHARD_COUNTS.join(', ')} shards, but got ${shards}.`)
  }
  if (startTime !== undefined) expectWhole('The time at which a network begins', startTime, 1, LAST_UTIME)
}

const expectSame = (stored: NetworkFacts, requested: RequestedFacts): void => {
  const { seed, shards, globalId, startTime, fork } = requested
  const differ = (what: string): never => {
    throw new NetworkFolderError(`The network in the data folder ${what}.`)
  }
  if (fork !== undefined && stored.fork === undefined) differ('is not a fork, and cannot become one')
  if (fork !== undefined && fork.name !== stored.fork?.name) {
    differ(`is a fork of ${stored.fork?.name}, not of ${fork.name}`)
  }
  if (fork?.block !== undefined && fork.block !== stored.fork?.point.block.seqno) {
    differ(`was forked at block ${stored.fork?.point.block.seqno}, not at block ${fork.block}`)
  }
  if (seed !== undefined && seed !== stored.seed) differ('has another seed than the one given')
  if (shards !== undefined && shards !== stored.shards) {
    differ(`was made with --shards ${stored.shards}, not with --shards ${shards}`)
  }
  if (globalId !== undefined && globalId !== stored.globalId) {
    differ(`has the id ${stored.globalId}, ${globalId} was asked for`)
  }
  if (startTime !== undefined && (stored.clock !== 'virtual' || startTime !== stored.startTime)) {
    differ(`did not begin with a clock of its own at second ${startTime}, which was asked for`)
  }
}
