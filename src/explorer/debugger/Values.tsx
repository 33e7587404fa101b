import { useState } from 'preact/hooks'
import { hashToHex, shorten } from '../model/addresses.ts'
import { readCellTree, sliceBits } from '../model/cellTree.ts'
import type { Registers, StackValue } from '../model/vmSteps.ts'
import { CopyButton } from '../parts/basics.tsx'
import { CellTree } from '../parts/CellTree.tsx'

/** Finds a cell by its hash, as a bag of cells in base64. */
export type FindCell = (hash: string) => string | undefined

const LONG_NUMBER = 24

const hexOf = (decimal: string): string => {
  const value = BigInt(decimal)
  return value < 0n ? `−0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

const shortHash = (hash: string): string => shorten(hashToHex(hash), 6, 4)

/** A value in one line. */
const formatValue = (value: StackValue): string => {
  switch (value.t) {
    case 'int':
      return value.v.length > LONG_NUMBER ? shorten(hexOf(value.v), 12, 8) : value.v
    case 'nan':
      return 'NaN'
    case 'null':
      return 'null'
    case 'cell':
    case 'builder':
      return shortHash(value.h)
    case 'slice': {
      const refs = value.r[1] - value.r[0]
      return `${shortHash(value.h)} ${value.b[1] - value.b[0]} bits${refs === 0 ? '' : `, ${refs} refs`}`
    }
    case 'tuple':
      return `[${value.v.slice(0, 4).map(formatValue).join(', ')}${value.v.length > 4 ? ', …' : ''}] ${value.v.length}`
    case 'cont':
      return `${value.k}${value.h === undefined ? '' : ` ${shortHash(value.h)}:${value.o ?? 0}`}`
    case 'cut':
      return '…'
  }
}

const names = { int: 'int', nan: 'int', null: '', cut: '' } as const

type ValueProps = {
  readonly label: string
  readonly value: StackValue
  /** What the value is for. */
  readonly about?: string | undefined
  readonly tone?: string
  readonly find: FindCell
}

/** A value that opens to show all of it. */
const Value = ({ label, value, about, tone = '', find }: ValueProps) => {
  const [isOpen, setOpen] = useState(false)
  const kind = value.t in names ? names[value.t as keyof typeof names] : value.t
  return (
    <details class={`vm-value ${tone}`} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        <span class="vm-label mono">{label}</span>
        <span class="vm-text mono">{formatValue(value)}</span>
        <span class="vm-kind muted">{about ?? kind}</span>
      </summary>
      {isOpen && <WholeValue value={value} find={find} />}
    </details>
  )
}

const MAX_ELEMENTS = 64

const WholeValue = ({ value, find }: { readonly value: StackValue; readonly find: FindCell }) => {
  switch (value.t) {
    case 'int':
      return (
        <div class="vm-whole">
          <Copied text={value.v} what="number" />
          <Copied text={hexOf(value.v)} what="number in hex" />
        </div>
      )
    case 'cell':
    case 'builder':
      return (
        <div class="vm-whole">
          <CellByHash hash={value.h} find={find} />
        </div>
      )
    case 'slice': {
      const cell = readCellTree(find(value.h) ?? '')
      return (
        <div class="vm-whole">
          <p class="small muted">
            Bits {value.b[0]} to {value.b[1]}, references {value.r[0]} to {value.r[1]} of cell
          </p>
          {cell !== undefined && <Copied text={sliceBits(cell, ...value.b) || 'no bits'} what="bits" />}
          <CellByHash hash={value.h} find={find} />
        </div>
      )
    }
    case 'tuple':
      return (
        <div class="vm-whole">
          {value.v.slice(0, MAX_ELEMENTS).map((element, index) => (
            <Value key={index} label={String(index)} value={element} find={find} />
          ))}
          {value.v.length > MAX_ELEMENTS && <p class="small muted">and {value.v.length - MAX_ELEMENTS} more</p>}
        </div>
      )
    case 'cont':
      return <div class="vm-whole">{value.h !== undefined && <Copied text={hashToHex(value.h)} what="hash" />}</div>
    default:
      return <p class="vm-whole muted small">{value.t === 'cut' ? 'left out for its size' : formatValue(value)}</p>
  }
}

const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <p class="vm-copied">
    <span class="mono value">{text}</span>
    <CopyButton text={text} what={what} />
  </p>
)

/** A cell by its hash, with its content where the page of steps has it. */
const CellByHash = ({ hash, find }: { readonly hash: string; readonly find: FindCell }) => {
  const cell = readCellTree(find(hash) ?? '')
  return (
    <>
      <Copied text={hashToHex(hash)} what="hash of the cell" />
      {cell !== undefined && <CellTree root={cell} />}
    </>
  )
}

const FIRST_VALUES = 32
const MORE_VALUES = 128

type StackProps = {
  /** Bottom first. */
  readonly stack: readonly StackValue[]
  /** How many from the top the step before has put there, and this step takes. */
  readonly added: number
  readonly taken: number
  readonly find: FindCell
}

/** The stack, its top first. */
export const Stack = ({ stack, added, taken, find }: StackProps) => {
  const [limit, setLimit] = useState(FIRST_VALUES)
  if (stack.length === 0) return <p class="vm-empty muted">The stack is empty.</p>
  const shown = stack.slice(-limit).reverse()
  return (
    <div class="vm-values">
      {shown.map((value, index) => (
        <Value
          key={`${stack.length - index}`}
          label={`s${index}`}
          value={value}
          tone={`${index < added ? 'is-added' : ''} ${index < taken ? 'is-taken' : ''}`}
          find={find}
        />
      ))}
      {stack.length > shown.length && (
        <button type="button" class="button is-small" onClick={() => setLimit(limit + MORE_VALUES)}>
          {stack.length - shown.length} more values
        </button>
      )}
    </div>
  )
}

/** What the machine puts into c7 before a run. */
const contextNames: { readonly [path: string]: string } = {
  '0.1': 'actions',
  '0.2': 'messages sent',
  '0.3': 'now',
  '0.4': 'block lt',
  '0.5': 'lt',
  '0.6': 'random seed',
  '0.7': 'balance',
  '0.8': 'own address',
  '0.9': 'configuration',
  '0.10': 'own code',
  '0.11': 'incoming value',
  '0.12': 'storage fees',
  '0.13': 'previous blocks',
  '0.14': 'unpacked configuration',
  '0.15': 'due payment',
  '0.16': 'precompiled gas',
  '0.17': 'incoming message',
}

type RegistersProps = {
  readonly registers: Registers
  readonly changed: Registers | undefined
  readonly find: FindCell
}

/** The control registers; those that the step before changed are marked. */
export const RegisterList = ({ registers, changed, find }: RegistersProps) => {
  const { c7 = {} } = registers
  const toneOf = (isChanged: boolean): string => (isChanged ? 'is-added' : '')
  return (
    <div class="vm-values">
      {(['c0', 'c1', 'c2', 'c3'] as const).map((name) => {
        const value = registers[name]
        return value === undefined ? null : (
          <Value key={name} label={name} value={value} tone={toneOf(changed?.[name] !== undefined)} find={find} />
        )
      })}
      {(['c4', 'c5'] as const).map((name) => {
        const hash = registers[name]
        return hash === undefined ? null : (
          <Value
            key={name}
            label={name}
            value={{ t: 'cell', h: hash }}
            tone={toneOf(changed?.[name] !== undefined)}
            find={find}
          />
        )
      })}
      {Object.entries(c7)
        .slice(0, MAX_ELEMENTS)
        .map(([path, value]) => (
          <Value
            key={path}
            label={`c7.${path}`}
            about={contextNames[path]}
            value={value}
            tone={toneOf(changed?.c7?.[path] !== undefined)}
            find={find}
          />
        ))}
    </div>
  )
}
