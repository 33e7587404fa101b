import { findJettonMaster } from '../../../contracts/tokens/findToken.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import type { Detector } from '../Detector.ts'
import { hasMethods } from '../hasMethods.ts'
import { commonColumns } from '../Subject.ts'
import { toContentJson } from '../toContentJson.ts'

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
