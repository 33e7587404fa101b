import type { Reader } from '../../../store/connect/Database.ts'
import type { V3Parts } from '../V3Context.ts'

/** As many looks as may stand in line before those of others. */
const MAX_SHORT = 256

/** Where so many rows are looked up by their keys. */
export const pickReader = ({ points, lists }: Pick<V3Parts, 'points' | 'lists'>, count: number): Reader =>
  count <= MAX_SHORT ? points : lists
