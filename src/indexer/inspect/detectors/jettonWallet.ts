import { findJettonWallet } from '../../../contracts/tokens/findToken.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import type { Detector } from '../Detector.ts'
import { hasMethods } from '../hasMethods.ts'
import { commonColumns } from '../Subject.ts'

export const jettonWallet: Detector = {
  name: 'jetton_wallet',
  isCandidate: hasMethods('get_wallet_data'),
  async detect({ run, vouched, stats, newer }, subject) {
    const { key, account, codeHash, sinceLt, lastLt } = subject
    const row = newer.wallets.get(key)
    if (row !== undefined) return { jetton_wallets: { ...row, since_lt: sinceLt } }
    const before = vouched.findWithCode('jettonWallet', key, codeHash)
    const wallet = await findJettonWallet(run, subject.contract.address, (claim) => {
      const isSame =
        before !== undefined &&
        bytesEqual(before.owner, addressKeyOf(claim.owner)) &&
        bytesEqual(before.master, addressKeyOf(claim.master))
      if (isSame) stats.vouchedBefore++
      return isSame
    })
    if (wallet === undefined) return undefined
    const owner = addressKeyOf(wallet.owner)
    const master = addressKeyOf(wallet.master)
    vouched.add({ kind: 'jettonWallet', account, codeHash, lastLt, owner, master })
    return {
      jetton_wallets: {
        ...commonColumns(subject),
        balance: wallet.balance,
        owner,
        jetton: master,
        mintless_is_claimed: wallet.mintlessClaimed,
      },
    }
  },
}
