import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NetworkFolderError } from './errors.ts'

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
    throw new NetworkFolderError(`The file ${path} does not describe a network that this version can go on with.`)
  }
  return facts
}

/** Writes the file so that there is always either the old one or the new one, whole. */
export const writeNetworkFile = async (folder: string, facts: NetworkFacts): Promise<void> => {
  const path = join(folder, NAME)
  await mkdir(folder, { recursive: true })
  await writeFile(`${path}.new`, `${JSON.stringify({ format: FORMAT, ...facts }, undefined, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
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
  return { seed, accountSeed, globalId, shards, startTime, clock, clockOffset } as NetworkFacts
}
