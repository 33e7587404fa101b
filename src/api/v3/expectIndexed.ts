import { isIndexed } from '../../store/reader/blocks.ts'
import { NotIndexedError } from './errors.ts'
import type { V3Context } from './V3Context.ts'

/** Refuses a masterchain block that is not in the index. */
export const expectIndexed = async ({ points }: Pick<V3Context, 'points'>, mcSeqno: number): Promise<void> => {
  if (!(await isIndexed(points, mcSeqno))) throw new NotIndexedError(`masterchain block ${mcSeqno} not found`)
}
