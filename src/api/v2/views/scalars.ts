import { Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../../primitives/base64.ts'

/** The type that an object has on the wire. */
export const typeName = <const Name extends string>(name: Name) => Type.Literal(name)

export const HashView = Type.String({
  $id: 'Hash',
  description: '32 bytes in base64.',
  pattern: '^[A-Za-z0-9+/]{43}=$',
  examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
})

export const BytesView = Type.String({
  $id: 'Bytes',
  description: 'Bytes in base64; a cell is a bag of cells.',
  examples: ['te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='],
})

export const AmountView = Type.String({
  $id: 'Amount',
  description: 'An amount in nano units, decimal.',
  examples: ['2500000000'],
})

export const LtView = Type.String({ $id: 'Lt', description: 'A logical time, decimal.', examples: ['66822814000007'] })

export const FriendlyView = Type.String({
  $id: 'Friendly',
  description: 'An address in the user-friendly form.',
  pattern: '^[A-Za-z0-9_-]{48}$',
  examples: ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
})

export const UpperRawView = Type.String({
  $id: 'UpperRaw',
  description: 'An address in the raw form, in upper case.',
  pattern: '^-?[0-9]{1,10}:[0-9A-F]{64}$',
  examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'],
})

/** A cell as a bag of cells in base64. */
export const toCellBytes = (cell: Cell): string => toBase64(encodeBoc([cell], CHECKED_BOC))

/** The same; nothing at all where there is no cell. */
export const toMaybeCellBytes = (cell: Cell | undefined): string => (cell === undefined ? '' : toCellBytes(cell))
