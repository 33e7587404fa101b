import type { V3Result } from '../../fetch/requests.ts'
import { shorten } from '../../model/addresses.ts'
import { findAddress, findText } from '../../model/CellCursor.ts'
import { type CellNode, readCellTree } from '../../model/cellTree.ts'
import { formatDuration, formatTime, groupDigits } from '../../model/format.ts'
import type { MethodValue, ValueKind } from '../../model/methods.ts'
import { Amount } from '../../parts/Amount.tsx'
import { CopyButton, Facts } from '../../parts/basics.tsx'
import { CellTree } from '../../parts/CellTree.tsx'
import { AddressLink } from '../../parts/links.tsx'

type Entry = V3Result<'runGetMethod'>['stack'][number]

/** Results of a get-method: by name where the table has as many, by their places elsewhere. */
export const StackValues = ({
  stack,
  results,
}: {
  readonly stack: readonly Entry[]
  readonly results: readonly MethodValue[] | undefined
}) => {
  const named = results?.length === stack.length ? results : undefined
  if (stack.length === 0) return <p class="muted">The method returns nothing.</p>
  return (
    <div class="stack-values">
      <Facts
        facts={stack.map((entry, index) => [
          named?.[index]?.name.replaceAll('_', ' ') ?? String(index),
          <StackValue entry={entry} kind={named?.[index]?.kind ?? 'any'} />,
        ])}
      />
    </div>
  )
}

const StackValue = ({ entry: { type, value }, kind }: { readonly entry: Entry; readonly kind: ValueKind }) => {
  if (typeof value !== 'string') return <Values values={value} />
  if (type === 'num') return <NumberValue number={readNumber(value)} kind={kind} />
  const cell = readCellTree(value)
  if (cell === undefined) return <PlainValue text={value} />
  return <CellValue cell={cell} boc={value} kind={kind} isSlice={type === 'slice'} />
}

const MAX_VALUES = 200

const Values = ({ values }: { readonly values: readonly Entry[] }) => {
  if (values.length === 0) return <span class="muted">none</span>
  return (
    <details class="value-fold">
      <summary>{values.length} values</summary>
      <ol>
        {values.slice(0, MAX_VALUES).map((entry, index) => (
          <li key={`${index} ${entry.type}`}>
            <StackValue entry={entry} kind="any" />
          </li>
        ))}
      </ol>
      {values.length > MAX_VALUES && <p class="muted small">The first {MAX_VALUES} are shown.</p>}
    </details>
  )
}

/** `undefined` for a number that is none (NaN of the virtual machine). */
const readNumber = (text: string): bigint | undefined => {
  try {
    return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
  } catch {
    return undefined
  }
}

export const NumberValue = ({ number, kind }: { readonly number: bigint | undefined; readonly kind: ValueKind }) => {
  if (number === undefined) return <span class="muted">not a number</span>
  if (kind === 'bool') return <span>{number === 0n ? 'no' : 'yes'}</span>
  if (kind === 'coins') return <Amount value={number} />
  if (kind === 'time' && number > 0n && number < 1n << 32n) {
    return (
      <span>
        {formatTime(Number(number))} <span class="muted mono">{String(number)}</span>
      </span>
    )
  }
  if (kind === 'duration' && number < 1n << 32n) {
    return (
      <span>
        {formatDuration(1000 * Number(number))} <span class="muted mono">{groupDigits(String(number))} s</span>
      </span>
    )
  }
  const isLong = number >= 1n << 128n || number < -(1n << 128n)
  if (kind === 'hash' || (isLong && number > 0n)) return <PlainValue text={number.toString(16).padStart(64, '0')} />
  const hex = number < 0n ? `−0x${(-number).toString(16)}` : `0x${number.toString(16)}`
  return (
    <>
      <span class="with-copy">
        <span class="mono value">{groupDigits(String(number))}</span>
        <CopyButton text={String(number)} what="number" />
      </span>
      {(number > 255n || number < -255n) && <span class="muted mono small">{shorten(hex, 14, 8)}</span>}
    </>
  )
}

const PlainValue = ({ text }: { readonly text: string }) => (
  <span class="with-copy">
    <span class="mono value" title={text}>
      {shorten(text, 24, 12)}
    </span>
    <CopyButton text={text} what="value" />
  </span>
)

type CellProps = {
  readonly cell: CellNode
  readonly boc: string | undefined
  readonly kind?: ValueKind
  readonly isSlice?: boolean
}

/** An address as a link, text as text, any other cell folded. */
export const CellValue = ({ cell, boc, kind = 'any', isSlice = false }: CellProps) => {
  const address = kind === 'cell' ? undefined : findAddress(cell)
  if (address === null && (kind === 'address' || isSlice)) return <span class="muted">none</span>
  if (typeof address === 'string') return <AddressLink raw={address} hasCopy hasKind />
  const text = kind === 'text' || kind === 'any' ? findText(cell) : undefined
  return (
    <details class="value-fold">
      <summary>
        {text === undefined ? (isSlice ? 'slice' : 'cell') : `“${shorten(text, 60, 20)}”`}
        <span class="muted small">
          {cell.bits} bits{cell.refs.length > 0 && `, ${cell.refs.length} ref${cell.refs.length === 1 ? '' : 's'}`}
        </span>
      </summary>
      <CellTree root={cell} />
      {boc !== undefined && (
        <p class="muted small">
          BOC <CopyButton text={boc} what="bag of cells" />
        </p>
      )}
    </details>
  )
}
