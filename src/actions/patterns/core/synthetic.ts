import { blockKind } from '../../tree/Block.ts'

/** Stands before the first block. */
export const rootBlock = blockKind<undefined>({ name: 'root', describe: () => undefined })

/** Gives branches a common parent, and is nothing by itself. */
export const emptyBlock = blockKind<undefined>({ name: 'empty', describe: () => undefined })
