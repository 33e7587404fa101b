import { decodeLiteAnswer, type LiteFunctionName, splitWaitPrefix } from '../../src/codec/tl/liteQuery.ts'
import { TlError } from '../../src/codec/tl/TlError.ts'
import { tlFunctions } from '../../src/codec/tl/tlObject.ts'
import type { TlArguments, TlResults } from '../../src/codec/tl/tlTypes.ts'
import {
  type LiteFunction,
  type LiteFunctions,
  type LiteserverContext,
  LiteserverError,
} from '../../src/devnet/liteserver/LiteFunction.ts'
import { bytesEqual } from '../../src/primitives/bytes.ts'
import { decodeLiteQuery } from './decodeLiteQuery.ts'
import { listFixtures } from './fixtures.ts'
import { readPair } from './liteProofs.ts'

/** A recorded question of one function with the answer of the real node and ours. */
export type ComparedPair = {
  /** The name of the recording, as `019-getAccountState-wallet-v3`. */
  readonly name: string
  readonly kind: LiteFunctionName
  readonly request: Uint8Array
  readonly recorded: Uint8Array
  readonly answer: Answer
  readonly outcome: 'equal bytes' | 'equal error' | 'different'
}

type Answer =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: number; readonly text: string }

/** Asks every recorded question that one of the functions answers. Questions that wait for a block are left out. */
export const compareRecorded = async (
  functions: LiteFunctions,
  context: LiteserverContext,
): Promise<ComparedPair[]> => {
  const compared: ComparedPair[] = []
  for (const path of listFixtures('localnet/liteserver', '.json')) {
    const name = /(\d{3}-[^/]*)\.json$/.exec(path)?.[1]
    if (name === undefined) continue
    const { request, response } = readPair(path)
    const call = findCall(request)
    if (call === undefined || functions[call.kind] === undefined) continue
    const answer = await ask(functions, context, call.kind, call.args)
    const outcome = compare(call.kind, answer, response)
    compared.push({ name, kind: call.kind, request, recorded: response, answer, outcome })
  }
  return compared
}

const findCall = (request: Uint8Array): { kind: LiteFunctionName; args: TlArguments[LiteFunctionName] } | undefined => {
  try {
    if (splitWaitPrefix(request).wait !== undefined) return undefined
    const { kind, ...args } = decodeLiteQuery(request).call
    return { kind: kind as LiteFunctionName, args: args as TlArguments[LiteFunctionName] }
  } catch (error) {
    if (error instanceof TlError) return undefined
    throw error
  }
}

/** One answer of a function, encoded, or its refusal. Any other error is a bug and passes through. */
const ask = async <K extends LiteFunctionName>(
  functions: LiteFunctions,
  context: LiteserverContext,
  kind: K,
  args: TlArguments[K],
): Promise<Answer> => {
  try {
    const result: TlResults[K] = await (functions[kind] as LiteFunction<K>)(context, args)
    return { ok: true, bytes: tlFunctions[kind].encodeResult(result) }
  } catch (error) {
    if (error instanceof LiteserverError) return { ok: false, code: error.serverCode, text: error.serverText }
    throw error
  }
}

const compare = (kind: LiteFunctionName, answer: Answer, response: Uint8Array): ComparedPair['outcome'] => {
  const recorded = decodeLiteAnswer(kind, response)
  if (answer.ok) return bytesEqual(answer.bytes, response) ? 'equal bytes' : 'different'
  const isSame = !recorded.ok && recorded.error.code === answer.code && recorded.error.message === answer.text
  return isSame ? 'equal error' : 'different'
}
