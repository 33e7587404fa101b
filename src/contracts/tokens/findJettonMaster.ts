import type { Address } from '../../primitives/Address.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import { readTokenContent } from './TokenContent.ts'
import type { JettonMaster } from './TokenFacts.ts'

/** The jetton that this contract issues, if it does. */
export const findJettonMaster = async (run: RunMethod, address: Address): Promise<JettonMaster | undefined> => {
  const result = await run(address, 'get_jetton_data', [])
  return findReadable(() => readJettonData(result))
}

const readJettonData = (result: MethodResult): JettonMaster => {
  const r = new ResultReader(result)
  return {
    kind: 'jettonMaster',
    totalSupply: r.readInt(),
    mintable: r.readBool(),
    admin: r.readMaybeAddress(),
    content: readTokenContent(r.readCell()),
    walletCode: r.readCell(),
  }
}
