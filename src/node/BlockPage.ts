/** Which transactions of a block are asked for. */
export type BlockPage = {
  readonly count: number
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint } | undefined
  readonly reverse?: boolean | undefined
}

const WITH_IDS = 1 | 2 | 4
const WANT_PROOF = 1 << 5
const REVERSE = 1 << 6
const AFTER = 1 << 7

/** A page of whole transactions, with its proof. */
export const askWholePage = (page: BlockPage) => toQuestion(page, 0)

/** A page of which transactions there are, with its proof. */
export const askPage = (page: BlockPage) => toQuestion(page, WITH_IDS)

const toQuestion = ({ count, after, reverse = false }: BlockPage, extras: number) => ({
  mode: extras | WANT_PROOF | (reverse ? REVERSE : 0) | (after === undefined ? 0 : AFTER),
  count,
  ...(after === undefined ? {} : { after }),
})
