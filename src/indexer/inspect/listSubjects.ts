import type { RunContext } from '../../chain/ports.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import {
  type CurrencyCollection,
  extraCurrenciesType,
  NO_EXTRA_CURRENCIES,
  ZERO_CURRENCY,
} from '../../codec/tlb/CurrencyCollection.ts'
import type { TouchedAccount } from '../DecodedUnit.ts'
import type { StateView } from '../ports.ts'
import type { CodeFacts } from './CodeFacts.ts'
import type { InspectStats } from './InspectStats.ts'
import type { NewestState } from './listStates.ts'
import type { Subject } from './Subject.ts'

const noMethods: ReadonlySet<number> = new Set()

/** The states that have code, with what their code tells. */
export const listSubjects = async (
  states: Iterable<NewestState>,
  codes: CodeFacts,
  context: RunContext,
  view: StateView,
  stats: InspectStats,
): Promise<Subject[]> => {
  const subjects: Subject[] = []
  for (const { key, touched, sinceLt, resolved } of states) {
    if (touched.status !== 'active') continue
    if (resolved === undefined || resolved.code === 'unknown' || resolved.data === 'unknown') {
      stats.unknown++
      continue
    }
    const { code, data = emptyCell } = resolved
    if (code === undefined) continue
    const address = { workchain: touched.workchain, hash: touched.account.subarray(1) }
    const balance = findBalance(touched) ?? (await view.findContract(address))?.balance ?? ZERO_CURRENCY
    subjects.push({
      contract: { address, code, data, balance },
      account: touched.account,
      key,
      codeHash: code.hash(),
      dataHash: data.hash(),
      sinceLt,
      lastLt: touched.lastLt,
      methods: (await codes.findMethods(code, context)) ?? noMethods,
    })
  }
  stats.accounts += subjects.length
  return subjects
}

/** `undefined` where the block does not show all of it. */
const findBalance = ({ balance, extraCurrencies }: TouchedAccount): CurrencyCollection | undefined => {
  if (extraCurrencies === 'unknown') return undefined
  if (extraCurrencies === undefined) return { grams: balance, extra: NO_EXTRA_CURRENCIES }
  const amounts = Object.entries(extraCurrencies).map(([id, amount]) => [Number(id), BigInt(amount)] as const)
  return { grams: balance, extra: Dict.of(extraCurrenciesType, amounts) }
}
