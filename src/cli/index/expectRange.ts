import type { Config } from '../../config/settings.ts'
import { UsageError } from '../errors.ts'

/** Refuses a range of blocks that ends before it begins. */
export const expectRange = ({ from, to }: Pick<Config, 'from' | 'to'>): void => {
  if (to === undefined || from <= to) return
  throw new UsageError(`--from ${from} is above --to ${to}: there is no block in between.`, 'Change one of them.')
}
