import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { type ExtraCurrencies, extraCurrenciesType, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import type { BatchView } from './BatchView.ts'
import type { CodeFacts } from './CodeFacts.ts'
import type { InspectStats } from './InspectStats.ts'
import type { NewestState } from './listStates.ts'
import type { Subject } from './Subject.ts'

const noMethods: ReadonlySet<number> = new Set()

/** The states that have code, with what their code tells. */
export const listSubjects = async (
  states: Iterable<NewestState>,
  codes: CodeFacts,
  view: BatchView,
  stats: InspectStats,
): Promise<Subject[]> => {
  const subjects: Subject[] = []
  for (const { key, touched, sinceLt, resolved } of states) {
    if (touched.status !== 'active') continue
    if (resolved === undefined || resolved.code === 'unknown' || resolved.data === 'unknown') {
      stats.unknown++
      continue
    }
    const { code, data = emptyCell, extraCurrencies } = resolved
    if (code === undefined) continue
    const address = { workchain: touched.workchain, hash: touched.account.subarray(1) }
    const balance = { grams: touched.balance, extra: toExtraCurrencies(extraCurrencies) }
    // As the block has them: most accounts are of no interest, and need not be hashed to see that.
    const { codeHash = code.hash(), dataHash = data.hash() } = touched
    subjects.push({
      contract: { address, code, data, balance },
      account: touched.account,
      key,
      codeHash,
      dataHash,
      sinceLt,
      lastLt: touched.lastLt,
      methods: (await codes.findMethods(code, codeHash, view)) ?? noMethods,
    })
  }
  stats.accounts += subjects.length
  return subjects
}

/** Whoever knows the code of an account knows them, too. */
const toExtraCurrencies = (known: ResolvedAccount['extraCurrencies']): ExtraCurrencies => {
  if (known === undefined || known === 'unknown') return NO_EXTRA_CURRENCIES
  const amounts = Object.entries(known).map(([id, amount]) => [Number(id), BigInt(amount)] as const)
  return Dict.of(extraCurrenciesType, amounts)
}
