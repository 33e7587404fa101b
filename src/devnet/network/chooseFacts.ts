import { randomBytes } from 'node:crypto'
import { expectWhole, LAST_UTIME } from './bounds.ts'
import { ControlInputError, NetworkFolderError } from './errors.ts'
import { type NetworkFacts, readNetworkFile, writeNetworkFile } from './networkFile.ts'
import { WELL_KNOWN_SEED } from './wellKnownSecrets.ts'

/** What may be said of a network before it begins. What is left out is chosen, or is as the folder has it. */
export type NetworkWishes = {
  readonly seed?: string | undefined
  readonly shards?: number | undefined
  readonly globalId?: number | undefined
  /** Second at which a clock begins that only blocks and the developer move. */
  readonly startTime?: number | undefined
}

const GLOBAL_ID = -777
const MAX_SEED = 256
const SHARD_COUNTS = [1, 2, 4, 8, 16]

/** The facts of the network in a folder, or of a new one, which are written there. */
export const chooseFacts = async (folder: string | undefined, wishes: NetworkWishes): Promise<NetworkFacts> => {
  checkWishes(wishes)
  const stored = folder === undefined ? undefined : await readNetworkFile(folder)
  if (stored !== undefined) {
    expectSame(stored, wishes)
    return stored
  }
  const facts: NetworkFacts = {
    seed: wishes.seed ?? randomBytes(16).toString('hex'),
    accountSeed: wishes.seed ?? WELL_KNOWN_SEED,
    globalId: wishes.globalId ?? GLOBAL_ID,
    shards: wishes.shards ?? 1,
    startTime: wishes.startTime ?? Math.floor(Date.now() / 1000),
    clock: wishes.startTime === undefined ? 'machine' : 'virtual',
    clockOffset: 0,
  }
  if (folder !== undefined) await writeNetworkFile(folder, facts)
  return facts
}

const checkWishes = ({ seed, shards, startTime }: NetworkWishes): void => {
  if (seed !== undefined && (seed.length === 0 || seed.length > MAX_SEED)) {
    throw new ControlInputError(`A seed has 1 to ${MAX_SEED} characters, ${seed.length} came.`)
  }
  if (shards !== undefined && !SHARD_COUNTS.includes(shards)) {
    throw new ControlInputError(`The basechain has ${SHARD_COUNTS.join(', ')} shards, ${shards} came.`)
  }
  if (startTime !== undefined) expectWhole('The time at which a network begins', startTime, 1, LAST_UTIME)
}

const expectSame = (stored: NetworkFacts, { seed, shards, globalId, startTime }: NetworkWishes): void => {
  const differ = (what: string): never => {
    throw new NetworkFolderError(`The network in the data folder ${what}.`)
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
