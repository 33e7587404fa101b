import { Type } from 'typebox'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { param, shownAs } from '../core/Param.ts'
import { RefusedRequestError } from './RefusedRequestError.ts'

/** Which end of a message is meant. */
export const DirectionParam = shownAs(
  param(Type.String(), (text): 'in' | 'out' => {
    if (text !== 'in' && text !== 'out') throw new RefusedRequestError('direction should be one of: in, out')
    return text
  }),
  Type.Union([Type.Literal('in'), Type.Literal('out')], { description: 'Who received a message, or who sent it.' }),
)

/** A body as the index knows it, which does not keep the empty cell. */
export const findBodyHash = (hash: Uint8Array): Uint8Array | 'empty' =>
  bytesEqual(hash, emptyCell.hash()) ? 'empty' : hash
