import { IndexMissingError, type MessageOutcome } from '../../chain/confirmations.ts'
import { NodeRefusedError } from '../../chain/errors.ts'
import { normalizedExternalHash, openBody } from '../../codec/tlb/Message.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import { findExpiry, findWalletOrder } from '../../contracts/walletOrders.ts'
import { findWalletFacts, findWalletKind } from '../../contracts/wallets.ts'
import type { Call } from '../core/Call.ts'
import type { SendStatus } from '../core/waitParams.ts'
import { readAccount } from './readAccount.ts'
import { openExternal, type SentMessage, submitMessage } from './sendMessage.ts'
import type { V2Context } from './v2Endpoint.ts'

export type SendResult = SentMessage & {
  readonly normalHash: Uint8Array
  readonly status: SendStatus
  /** If the whole trace is indexed. */
  readonly traceId: Uint8Array | undefined
  /** Of the contract, if it refused the message. */
  readonly exitCode: number | undefined
  /** Why the message was not executed. */
  readonly error: string | undefined
}

export type SendOptions = { readonly until: 'pending' | 'finalized'; readonly timeoutMs: number }

/** How long to look for a message that nodes refuse: it may have been executed already. */
const REFUSED_MS = 5000
const MAX_ERROR = 4096

/** Sends a message and waits until its trace is indexed, or it cannot be executed any more, or the time is up. */
export const sendAndWait = async (
  context: V2Context,
  bytes: Uint8Array,
  { until, timeoutMs }: SendOptions,
): Promise<SendResult> => {
  const { confirmations, call } = context
  if (confirmations === undefined)
    throw new IndexMissingError('This server has no index, which tells what became of a message.')
  const sent = openExternal(bytes)
  const normalHash = normalizedExternalHash(sent.message)
  const startedAt = performance.now()
  const wait = confirmations.open({ message: sent.root, normalHash, caller: callerOf(call) })
  try {
    const refusal = await trySend(context, sent, bytes)
    if (refusal !== undefined) wait.follow()
    const isRefused = refusal !== undefined && !refusal.isDuplicate
    const leftMs = Math.max(0, timeoutMs - (performance.now() - startedAt))
    const outcome = await wait.wait({
      until: until === 'pending' ? 'emulated' : 'finished',
      timeoutMs: isRefused ? Math.min(REFUSED_MS, Math.max(leftMs, 1000)) : leftMs,
      isRefused,
      signal: call.signal,
    })
    return { ...sent, normalHash, ...(await describeOutcome(context, sent, outcome, isRefused ? refusal : undefined)) }
  } finally {
    wait.close()
  }
}

/** Waits of one caller; other plans have the largest number. */
const maxWaits: { readonly [plan: string]: number } = { anonymous: 4, free: 16 }
const MOST_WAITS = 64

const callerOf = ({ plan, caller, trace, remoteAddress }: Call) =>
  plan === undefined
    ? undefined
    : { name: caller ?? trace.key ?? remoteAddress, maxWaits: maxWaits[plan] ?? MOST_WAITS }

type Refusal = {
  /** A node has the message already. */
  readonly isDuplicate: boolean
  readonly exitCode: number | undefined
  readonly text: string
}

/** Why nodes refused the message; other failures are thrown. */
const trySend = async (context: V2Context, { root }: SentMessage, bytes: Uint8Array): Promise<Refusal | undefined> => {
  try {
    await submitMessage(context, root, bytes)
    return undefined
  } catch (error) {
    if (!(error instanceof NodeRefusedError)) throw error
    const { serverText } = error
    const isDuplicate = /duplicate message/i.test(serverText)
    if (!isDuplicate && !/external message was not accepted|exitcode=/i.test(serverText)) throw error
    const [, code] = /exitcode=(-?[0-9]{1,10})/.exec(serverText) ?? []
    return {
      isDuplicate,
      exitCode: code === undefined ? undefined : Number(code),
      text: serverText.slice(0, MAX_ERROR),
    }
  }
}

type Described = Pick<SendResult, 'status' | 'traceId' | 'exitCode' | 'error'>

const plain = (status: SendStatus, error?: string): Described => ({
  status,
  traceId: undefined,
  exitCode: undefined,
  error,
})

const describeOutcome = async (
  context: V2Context,
  sent: SentMessage,
  outcome: MessageOutcome,
  refusal: Refusal | undefined,
): Promise<Described> => {
  switch (outcome.kind) {
    case 'finished':
      return { ...plain('finalized'), traceId: outcome.traceId }
    case 'emulated':
      return plain('pending')
    case 'lost':
      return plain(
        'lost',
        'No block had the message for a minute after it was sent. It may still be executed; send it again.',
      )
    case 'replaced':
      return { ...plain('expired', 'The account executed another message in its place.'), exitCode: outcome.exitCode }
    case 'rejected':
      return { ...plain('expired', describeExit(outcome.exitCode)), exitCode: outcome.exitCode }
    case 'timeout':
      return refusal === undefined ? plain('pending') : describeRefusal(context, sent, refusal)
    case 'refused': {
      const exitCode = refusal?.exitCode ?? outcome.exitCode
      return describeRefusal(context, sent, { exitCode, text: refusal?.text ?? describeExit(exitCode) })
    }
  }
}

const describeExit = (exitCode: number | undefined): string =>
  exitCode === undefined
    ? 'The account cannot execute the message.'
    : `The contract does not accept the message: exit code ${exitCode}.`

const describeRefusal = async (
  context: V2Context,
  sent: SentMessage,
  { exitCode, text }: Pick<Refusal, 'exitCode' | 'text'>,
): Promise<Described> => {
  const expiry = await findExpiryOf(context, sent)
  if (expiry === undefined) return { ...plain('not_accepted', text), exitCode }
  return { ...plain('expired', `${expiries[expiry]}\n${text}`), exitCode }
}

const expiries = {
  seqno: 'The wallet has executed another message with this seqno.',
  valid_until: 'The message is no longer valid: valid_until has passed.',
}

/** Why a known wallet will never execute the message. */
const findExpiryOf = async (
  { chain, call }: V2Context,
  { message }: SentMessage,
): Promise<'seqno' | 'valid_until' | undefined> => {
  const destination = message.info.kind === 'externalIn' ? findStandardAddress(message.info.destination) : undefined
  if (destination === undefined) return undefined
  const { code, data, genUtime } = await chain.withNode({ signal: call.signal }, (node) =>
    readAccount(node, destination, undefined),
  )
  const kind = code && findWalletKind(code.hash())
  const facts = kind && data && findWalletFacts(kind, data)
  const order = kind && findWalletOrder(kind, openBody(message.body))
  return facts && order && findExpiry(order, facts, timeAt(genUtime))
}

/** A state that is further behind the clock belongs to a chain with its own time. */
const MAX_LAG_S = 120

const timeAt = (genUtime: number): number => {
  const now = Math.floor(Date.now() / 1000)
  return now - genUtime > MAX_LAG_S ? genUtime : Math.max(now, genUtime)
}
