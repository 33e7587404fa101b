import { type Classified, classifyPlainly, classifyTrace, type OnFault } from '../../actions/classifyTrace.ts'
import { AccountFacts, type KnownAccount } from '../../actions/trace/AccountFacts.ts'
import type { TraceInput } from '../../actions/trace/TraceInput.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Reader } from '../../store/connect/Reader.ts'
import { findContractFacts } from '../../store/reader/findContractFacts.ts'
import { toKnownAccount } from './toKnownAccount.ts'

/** A chain of accounts that each name the next ends somewhere. */
const MAX_ROUNDS = 6

const unknown: KnownAccount = {}

/** What happened in traces. Accounts that patterns ask for are looked up, all of them together, until none is missing. */
export const classifyTraces = async (
  reader: Reader,
  traces: readonly TraceInput[],
  onFault: OnFault,
): Promise<Classified[]> => {
  const known = new Map<string, KnownAccount>()
  await learn(reader, known, new Set(traces.flatMap(({ transactions }) => transactions.map(({ account }) => account))))
  const results: Classified[] = []
  let waiting = traces.map((trace, index) => ({ trace, index }))
  for (let round = 1; waiting.length > 0; round++) {
    const missed = new Set<string>()
    waiting = waiting.filter(({ trace, index }) => {
      const facts = new AccountFacts(known)
      results[index] = classifySafely(trace, facts, onFault)
      for (const address of facts.missed) missed.add(address)
      return facts.missed.size > 0 && round < MAX_ROUNDS
    })
    await learn(reader, known, missed)
  }
  return results
}

/** Whatever a trace does to a pattern, it is told in plain words at least. */
const classifySafely = (trace: TraceInput, facts: AccountFacts, onFault: OnFault): Classified => {
  try {
    return classifyTrace(trace, facts, onFault)
  } catch (error) {
    onFault(undefined, error)
    return { actions: classifyPlainly(trace), hasFailed: true }
  }
}

const learn = async (
  reader: Reader,
  known: Map<string, KnownAccount>,
  addresses: ReadonlySet<string>,
): Promise<void> => {
  const keys = new Map<string, Uint8Array>()
  for (const address of addresses) {
    const key = findKey(address)
    if (key === undefined) known.set(address, unknown)
    else keys.set(address, key)
  }
  const found = await findContractFacts(reader, [...keys.values()])
  for (const [address, key] of keys) {
    const facts = found.get(toHex(key))
    known.set(address, facts === undefined ? unknown : toKnownAccount(facts))
  }
}

const findKey = (address: string): Uint8Array | undefined => {
  try {
    return addressKeyOf(parseAddress(address))
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}
