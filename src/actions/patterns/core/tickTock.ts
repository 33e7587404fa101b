import { blockKind } from '../../tree/Block.ts'

/** A transaction that no message caused. */
export const tickTock = blockKind<{ readonly account: string }>({
  name: 'tick_tock',
  isClosed: true,
  describe: ({ data: { account } }) => ({ source: account, details: {} }),
})
