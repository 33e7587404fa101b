import { type Equal, expectType } from '../../../test/support/expectType.ts'
import { array, type CopyRow, int8, nullable, type SelectedRow, text, withDefault } from './columns.ts'

const sample = { id: withDefault(int8), name: text, note: nullable(text), parts: array(int8) } as const

expectType<
  Equal<
    SelectedRow<typeof sample>,
    { readonly id: bigint; readonly name: string; readonly note: string | null; readonly parts: bigint[] }
  >
>()

const row: CopyRow<typeof sample> = { name: 'x', parts: [1n] }
const full: CopyRow<typeof sample> = { ...row, id: 1n, note: null }
expectType<Equal<typeof full.note, string | null | undefined>>()

// @ts-expect-error: what the table wants must be given.
const lacking: CopyRow<typeof sample> = { name: 'x' }
// @ts-expect-error: and be of its type.
const wrong: CopyRow<typeof sample> = { name: 1, parts: [] }
void [lacking, wrong]
