import { NodeAnswerError, NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import { TlError } from '../../codec/tl/TlError.ts'
import { decodeTlObject, decodeTlObjectAs, encodeTlObject, tlIds, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlObject } from '../../codec/tl/tlTypes.ts'
import type { LiteClient } from '../../node/LiteClient.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { concatBytes, getU32LE } from '../../primitives/bytes.ts'
import { firstToAnswer } from './firstToAnswer.ts'

export type LiteAskOptions = {
  readonly timeoutMs: number
  /** The masterchain block that the server waits for first. */
  readonly waitSeqno: number | undefined
  readonly signal: AbortSignal
}

// What nodes wait for at most, whatever they are asked.
const MAX_WAIT_MS = 10_000
const STAGGER_MS = 250

/** The first of the servers that answers at all; the others are closed. Of a single one nothing is asked beforehand. */
export const chooseClient = async (clients: readonly LiteClient[], signal: AbortSignal): Promise<LiteClient> => {
  const [only] = clients
  if (only !== undefined && clients.length === 1) return only
  const attempts = clients.map((client) => async (): Promise<LiteClient> => {
    await client.ask('liteServer.getTime', {}, { signal })
    return client
  })
  const chosen = await firstToAnswer(attempts, STAGGER_MS).catch((cause: unknown) => {
    signal.throwIfAborted()
    const { errors } = cause as AggregateError
    throw new NodeUnavailableError(`None of the ${clients.length} liteservers answered; ${describe(errors[0])}`, {
      cause,
    })
  })
  for (const client of clients) if (client !== chosen) client.close()
  return chosen
}

/** The bytes of the answer; an error of the server throws NodeRefusedError. */
export const askBytes = async (
  client: LiteClient,
  question: Uint8Array,
  options: LiteAskOptions,
): Promise<Uint8Array> => {
  const { timeoutMs, waitSeqno, signal } = options
  const waitMs = waitSeqno === undefined ? 0 : Math.min(MAX_WAIT_MS, timeoutMs)
  const prefix =
    waitSeqno === undefined
      ? []
      : [encodeTlObject({ kind: 'liteServer.waitMasterchainSeqno', seqno: waitSeqno, timeoutMs: waitMs })]
  const bytes = await client.askRaw(concatBytes([...prefix, question]), { timeoutMs: timeoutMs + waitMs, signal })
  if (bytes.length >= 4 && getU32LE(bytes, 0) === tlIds['liteServer.error']) {
    const { code, message } = decoding(client, () => decodeTlObjectAs('liteServer.error', bytes))
    throw new NodeRefusedError(code, message)
  }
  return bytes
}

/** The object in an answer, which must be what the function promises. */
export const decodeAnswer = (client: LiteClient, name: LiteFunctionName, bytes: Uint8Array): TlObject => {
  const expected = tlSchema[name].result
  const object = decoding(client, () => decodeTlObject(bytes))
  if (object.kind === expected) return object
  throw new NodeAnswerError(`${client.name} answered ${name} with ${object.kind} instead of ${expected}.`)
}

/** The newest masterchain block as the server knows it, once it has what the question waits for. */
export const askLastBlock = async (client: LiteClient, options: LiteAskOptions): Promise<BlockIdExt> => {
  const bytes = await askBytes(client, encodeTlObject({ kind: 'liteServer.getMasterchainInfo' }), options)
  return decoding(client, () => decodeTlObjectAs('liteServer.masterchainInfo', bytes)).last
}

const decoding = <T>(client: LiteClient, decode: () => T): T => {
  try {
    return decode()
  } catch (cause) {
    if (!(cause instanceof TlError)) throw cause
    throw new NodeAnswerError(`${client.name} answered with something else: ${cause.message}`, { cause })
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
