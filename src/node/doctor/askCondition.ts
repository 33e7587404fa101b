import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteClient } from '../LiteClient.ts'

/** What a server says of itself. Old ones do not say everything. */
export type Condition = {
  readonly head: BlockIdExt
  readonly zeroState: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }
  readonly version: { readonly number: number; readonly capabilities: bigint } | undefined
  readonly lagSeconds: number | undefined
  /** How far its clock is ahead of ours, as far as the time on the way lets one tell. */
  readonly clockSeconds: number | undefined
}

/** Asks in the way of today and, where that is not known, in the older one. */
export const askCondition = async (client: LiteClient, signal: AbortSignal): Promise<Condition> => {
  const sentAt = Date.now()
  try {
    const info = await client.ask('liteServer.getMasterchainInfoExt', { mode: 0 }, { signal })
    return {
      head: info.last,
      zeroState: info.init,
      version: { number: info.version, capabilities: info.capabilities },
      lagSeconds: Math.max(0, info.now - info.lastUtime),
      clockSeconds: compareClocks(info.now, sentAt, Date.now()),
    }
  } catch (error) {
    if (!isUnknownQuestion(error)) throw error
  }
  const { last, init } = await client.ask('liteServer.getMasterchainInfo', {}, { signal })
  const common = { head: last, zeroState: init, lagSeconds: undefined }
  const askedAt = Date.now()
  try {
    const { version, capabilities, now } = await client.ask('liteServer.getVersion', {}, { signal })
    const clockSeconds = compareClocks(now, askedAt, Date.now())
    return { ...common, version: { number: version, capabilities }, clockSeconds }
  } catch (error) {
    if (!isUnknownQuestion(error)) throw error
    return { ...common, version: undefined, clockSeconds: undefined }
  }
}

const isUnknownQuestion = (error: unknown): boolean => error instanceof NodeRefusedError && !error.retryable

/** The server's clock counts whole seconds, and was read at some time while the answer was on its way: both count for it. */
const compareClocks = (serverUtime: number, sentAtMs: number, receivedAtMs: number): number => {
  const earliest = serverUtime - receivedAtMs / 1000
  const latest = serverUtime + 1 - sentAtMs / 1000
  if (earliest > 0) return Math.floor(earliest)
  return latest < 0 ? Math.ceil(latest) : 0
}
