import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import { listLocalnetUnits, listMainnetUnits } from '../../../test/support/rawUnits.ts'
import type { RawUnit } from '../RawUnit.ts'
import { decodeUnit } from './decodeUnit.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

// One after another, as they are handed on: results that pile up would be the collector's work.
const decodeAll = (units: readonly RawUnit[]): number => {
  let count = 0
  for (const unit of units) count += decodeUnit(unit).transactions.count
  return count
}

/** Time to decode each transaction with its messages, over whole chains of blocks. */
export const run = (): Record<string, number> => {
  const sets: Record<string, readonly RawUnit[]> = {
    localnet: listLocalnetUnits(),
    mainnet: listMainnetUnits('mainnet'),
    testnet: listMainnetUnits('testnet'),
  }
  const figures: Record<string, number> = {}
  const rows = Object.entries(sets).map(([name, units]) => {
    const decoded = units.map((unit) => decodeUnit(unit))
    const transactions = sum(decoded.map((unit) => unit.transactions.count))
    const messages = sum(decoded.map((unit) => unit.messages.count))
    const bytes = sum(units.flatMap(({ masterchain, shards }) => [masterchain, ...shards].map((b) => b.bytes.length)))
    const rowBytes = sum(decoded.map((unit) => unit.transactions.rows.bytes.length + unit.contents.rows.bytes.length))
    const { all } = measure({ all: () => decodeAll(units) }, { rounds: 7, roundMs: 500, warmupMs: 2000 })
    figures[`${name}_us_per_tx`] = (1000 * all.cpuMs) / transactions
    return {
      set: name,
      units: units.length,
      transactions,
      messages,
      'block bytes per tx': Math.round(bytes / transactions),
      'row bytes per tx': Math.round(rowBytes / transactions),
      'µs per tx': ((1000 * all.cpuMs) / transactions).toFixed(1),
    }
  })
  console.log(formatTable(rows))
  return figures
}
