import { gunzipSync } from 'node:zlib'
import { listFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { createBodyDecoder } from './createBodyDecoder.ts'

type TraceMessage = { readonly body?: string | null }
type Trace = { transactions: { in_msg: TraceMessage | null; out_msgs: TraceMessage[] }[] }

const readBodies = (): Cell[] => {
  const bodies: Cell[] = []
  for (const path of listFixtures('actions/traces', '.json.gz')) {
    const { transactions } = JSON.parse(gunzipSync(readFixture(path)).toString()) as Trace
    for (const { in_msg, out_msgs } of transactions) {
      for (const { body } of in_msg === null ? out_msgs : [in_msg, ...out_msgs]) {
        if (typeof body === 'string') bodies.push(decodeSingleBoc(fromBase64(body)))
      }
    }
  }
  return bodies
}

/** Bodies a second on one core, by what they are. */
export const run = (): Record<string, number> => {
  const decoder = createBodyDecoder()
  const byType = new Map<string, Cell[]>()
  const bodies = readBodies()
  for (const body of bodies) {
    const type = String(decoder.decode(body)?.['@type'] ?? 'not decoded')
    byType.set(type, [...(byType.get(type) ?? []), body])
  }
  const common = [...byType].sort(([, a], [, b]) => b.length - a.length).slice(0, 12)
  const groups: [string, Cell[]][] = [['all', bodies], ...common]
  const timings = measure(
    Object.fromEntries(
      groups.map(([type, cells]) => [
        type,
        () => {
          for (const cell of cells) decoder.decode(cell)
        },
      ]),
    ),
  )
  const timing = measure({ create: () => createBodyDecoder() })
  const figures: Record<string, number> = {}
  for (const [type, cells] of groups) figures[type] = Math.round((1000 * cells.length) / timings[type]!.cpuMs)
  const rows = groups.map(([type, cells]) => ({ bodies: type, count: cells.length, 'per cpu-s': figures[type]! }))
  console.log(formatTable(rows))
  return { ...figures, createMs: timing.create.cpuMs }
}
