import type { Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { kindOf } from '../../match/Pattern.ts'
import { orNull } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { getKind } from '../core/findCall.ts'
import { jettonMint } from '../jetton/jettonMint.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC'
const STAKED_USDE = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D'

export type EthenaDepositData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  readonly pool: string | undefined
  readonly amount: bigint
  readonly tokensMinted: bigint | undefined
}

/** Stablecoins that were staked. */
const ethenaDeposit = blockKind<EthenaDepositData>({
  name: 'ethena_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, holderWallet, pool, amount, tokensMinted } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      provider: 'ethena',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      tokens_minted: orNull(tokensMinted),
      asset: STAKED_USDE,
      source_asset: USDE,
    },
  }),
})

export const matchEthenaDeposit: Matcher = {
  name: 'ethena deposit',
  isAnchor: (block) => block.is(jettonTransfer) && block.data.asset === USDE,
  around: { next: kindOf(jettonMint) },
  build: ({ anchor, others }) => {
    const { sender, senderWallet, receiver, amount } = getKind([anchor], jettonTransfer).data
    const mint = getKind(others, jettonMint)
    if (mint.data.asset !== STAKED_USDE) throw new MatchRefusedError('The token that was minted stands for no stake.')
    const data = { holder: sender, holderWallet: senderWallet, pool: receiver, amount, tokensMinted: mint.data.amount }
    foldBlocks(ethenaDeposit, data, [anchor, mint])
  },
}
