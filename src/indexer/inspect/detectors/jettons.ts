import { findDedustPool, isDedustPoolCode } from '../../../contracts/dedustPool.ts'
import { findJettonMaster, findJettonWallet } from '../../../contracts/tokens/findToken.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import { type Detector, hasMethods, toContentJson } from '../Detector.ts'
import { commonColumns } from '../knownContracts.ts'

export const jettonMaster: Detector = {
  name: 'jetton_master',
  isCandidate: hasMethods('get_jetton_data'),
  async detect({ run }, subject) {
    const master = await findJettonMaster(run, subject.contract.address)
    if (master === undefined) return undefined
    const { admin, mintable, totalSupply, walletCode, content } = master
    return {
      jetton_masters: {
        ...commonColumns(subject),
        mintable,
        total_supply: totalSupply,
        admin_address: admin && addressKeyOf(admin),
        wallet_code_hash: walletCode.hash(),
        content: toContentJson(content),
      },
    }
  },
}

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

export const dedustPool: Detector = {
  name: 'dedust_pool',
  isCandidate: ({ codeHash }) => isDedustPoolCode(codeHash),
  async detect({ run }, subject) {
    const pool = await findDedustPool(run, subject.contract.address)
    if (pool === undefined) return undefined
    const { isStable, assets, reserves, fee } = pool
    return {
      dex_pools: {
        ...commonColumns(subject),
        fee,
        dex: 'dedust',
        kind: isStable ? 'stable' : 'volatile',
        reserve_1: reserves[0],
        reserve_2: reserves[1],
        asset_1: assets[0] && addressKeyOf(assets[0]),
        asset_2: assets[1] && addressKeyOf(assets[1]),
      },
    }
  },
}
