import { tryLocateResultTx } from './tryLocateResultTx.ts'

/** The name that it had first. */
export const tryLocateTx = {
  ...tryLocateResultTx,
  name: 'tryLocateTx',
  summary: 'The same as tryLocateResultTx.',
} as const
