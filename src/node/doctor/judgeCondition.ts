import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { LiteClient } from '../LiteClient.ts'
import { type Finding, findings } from './Finding.ts'

/** What a server reports about itself. Old servers do not report everything. */
export type Condition = {
  readonly head: BlockIdExt
  readonly zeroState: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }
  readonly version: { readonly number: number; readonly capabilities: bigint } | undefined
  readonly lagSeconds: number | undefined
  /** How far its clock is ahead of ours, within the round-trip time. */
  readonly clockSeconds: number | undefined
}

/** Sends the extended request and falls back to the older one. */
export const queryCondition = async (client: LiteClient, signal: AbortSignal): Promise<Condition> => {
  const sentAt = Date.now()
  try {
    const info = await client.query('liteServer.getMasterchainInfoExt', { mode: 0 }, { signal })
    return {
      head: info.last,
      zeroState: info.init,
      version: { number: info.version, capabilities: info.capabilities },
      lagSeconds: Math.max(0, info.now - info.lastUtime),
      clockSeconds: compareClocks(info.now, sentAt, Date.now()),
    }
  } catch (error) {
    if (!isUnknownRequest(error)) throw error
  }
  const { last, init } = await client.query('liteServer.getMasterchainInfo', {}, { signal })
  const common = { head: last, zeroState: init, lagSeconds: undefined }
  const askedAt = Date.now()
  try {
    const { version, capabilities, now } = await client.query('liteServer.getVersion', {}, { signal })
    const clockSeconds = compareClocks(now, askedAt, Date.now())
    return { ...common, version: { number: version, capabilities }, clockSeconds }
  } catch (error) {
    if (!isUnknownRequest(error)) throw error
    return { ...common, version: undefined, clockSeconds: undefined }
  }
}

const isUnknownRequest = (error: unknown): boolean => error instanceof NodeRefusedError && !error.retryable

/** The server's clock counts whole seconds, and was read at some time while the answer was on its way: both count for it. */
const compareClocks = (serverUtime: number, sentAtMs: number, receivedAtMs: number): number => {
  const earliest = serverUtime - receivedAtMs / 1000
  const latest = serverUtime + 1 - sentAtMs / 1000
  if (earliest > 0) return Math.floor(earliest)
  return latest < 0 ? Math.ceil(latest) : 0
}

// As the reference client: older than this is worth a warning. A healthy network makes a block every few seconds.
const MAX_LAG_SECONDS = 60
const MAX_CLOCK_SECONDS = 10
const MIN_VERSION = 0x101
// Proof chains, the extended head and get-methods.
const NEEDED_CAPABILITIES = 7n

export const isOfNetwork = ({ zeroState }: Condition, expected: BlockIdExt | undefined): boolean =>
  expected === undefined ||
  (bytesEqual(zeroState.rootHash, expected.rootHash) && bytesEqual(zeroState.fileHash, expected.fileHash))

/** Findings from what the server reports about itself. */
export const judgeCondition = ({ version, lagSeconds = 0, clockSeconds = 0 }: Condition): readonly Finding[] => [
  ...judgeVersion(version),
  ...(lagSeconds > MAX_LAG_SECONDS ? [findings.outOfSync(lagSeconds)] : []),
  ...(Math.abs(clockSeconds) > MAX_CLOCK_SECONDS ? [findings.clockDiffers(clockSeconds)] : []),
]

const judgeVersion = (version: Condition['version']): readonly Finding[] => {
  if (version === undefined) return [findings.tooOld('It is too old to tell its version.')]
  const { number, capabilities } = version
  if (number < MIN_VERSION) {
    const [needed, has] = [formatVersion(MIN_VERSION), formatVersion(number)]
    return [findings.tooOld(`It is too old: its version is ${has}, and ${needed} is needed.`)]
  }
  if ((capabilities & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES) return []
  return [
    findings.tooOld(`It is too old: its capabilities are ${capabilities}, and ${NEEDED_CAPABILITIES} are needed.`),
  ]
}

/** 0x101 is 1.1. */
export const formatVersion = (version: number): string => `${version >>> 8}.${version & 0xff}`

const NOT_READY = 651
const MAX_SHOWN = 300

/** Whether the server, or a proxy in front of it, is overloaded. "Not ready" does not count: it is about missing blocks. */
export const isPassing = ({ retryable, serverCode }: NodeRefusedError): boolean => retryable && serverCode !== NOT_READY

/** An error of a server for a message: one line, short, without terminal control characters. */
export const describeRefusal = ({ serverCode, serverText }: NodeRefusedError): string => {
  const plain = serverText.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return `error ${serverCode}, ${JSON.stringify(plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain)}.`
}

// A block that every archive has and a pruned node does not.
const EARLY_SEQNO = 3

/** Whether a server has the start of the chain; `undefined` if it does not answer, or the chain is too short. */
export const queryArchival = async (
  client: LiteClient,
  head: BlockIdExt,
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  if (head.seqno < EARLY_SEQNO) return undefined
  const id = { workchain: -1, shard: wholeShard, seqno: EARLY_SEQNO }
  try {
    await client.query('liteServer.lookupBlock', { mode: 1, id }, { signal })
    return true
  } catch (error) {
    if (error instanceof NodeRefusedError) return isPassing(error) ? undefined : false
    if (error instanceof CodedError || signal.aborted) return undefined
    throw error
  }
}
