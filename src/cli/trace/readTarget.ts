import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Address, parseAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'

/** What is to be replayed: a file, or a transaction. */
export type TraceTarget =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'transaction'
      readonly address: Address
      readonly lt: bigint
      readonly hash: Uint8Array | undefined
    }

const TIMEOUT_MS = 30_000

/** A transaction that could not be looked up. */
class TransactionLookupError extends CodedError {
  readonly code = 'transaction_lookup'
  readonly advice = 'Give the transaction as account:lt, or name a service that has it in its index with --url.'
}

/** Reads a hash in any form, a link that holds one, `account:lt`, or the path of a file. */
export const readTarget = async (context: CommandContext, word: string): Promise<TraceTarget> => {
  const path = resolve(context.workingDir, word)
  if (existsSync(path)) return { kind: 'file', path }
  const byAccount = readAccountLt(word)
  if (byAccount !== undefined) return byAccount
  const hash = findHash(word)
  if (hash !== undefined) return { kind: 'transaction', ...(await lookUp(context, hash)) }
  throw new UsageError(
    `${JSON.stringify(word.slice(0, 80))} is not a transaction hash, account:lt, a link to a transaction, or a file.`,
    'See chaincenter trace --help for examples.',
  )
}

const readAccountLt = (word: string): TraceTarget | undefined => {
  const [, account, lt] = /^(.+):([0-9]{1,20})$/.exec(word) ?? []
  if (account === undefined || lt === undefined) return undefined
  try {
    return { kind: 'transaction', address: parseAddress(account), lt: BigInt(lt), hash: undefined }
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** The last part of a text that is a hash; links have it behind a slash or in the query. */
const findHash = (word: string): Uint8Array | undefined => {
  const parts = [
    word,
    ...decodeURIComponent(word.replaceAll(/%(?![0-9a-fA-F]{2})/g, ''))
      .split(/[/?#=&]/)
      .reverse(),
  ]
  for (const part of parts) {
    try {
      return parseHash(part, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
  }
  return undefined
}

export const serviceOf = ({ config }: CommandContext): string =>
  String(config.url ?? `http://127.0.0.1:${config.port}`).replace(/\/+$/, '')

/** Asks a service where the transaction is; the replay itself is proven. */
const lookUp = async (context: CommandContext, hash: Uint8Array) => {
  const { config } = context
  const base = serviceOf(context)
  const answer = await askService(`${base}/api/v3/transactions?limit=1&hash=${toHex(hash)}`, config.apiKey?.reveal())
  const [found] =
    (answer as { readonly transactions?: readonly { readonly account: string; readonly lt: string }[] }).transactions ??
    []
  if (found === undefined)
    throw new TransactionLookupError(`The service at ${base} does not have transaction ${toHex(hash)}.`)
  return { address: parseAddress(found.account), lt: BigInt(found.lt), hash }
}

/** The JSON that a service answers. */
export const askService = async (url: string, apiKey: string | undefined): Promise<unknown> => {
  let response: Response
  try {
    const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey }
    response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (cause) {
    throw new TransactionLookupError(
      `A hash needs a service with an index, and none answers at ${new URL(url).origin}.`,
      { cause },
    )
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  const reason = (body as { readonly error?: string } | undefined)?.error ?? `status ${response.status}`
  throw new TransactionLookupError(`The service at ${new URL(url).origin} refused the lookup: ${reason}`)
}
