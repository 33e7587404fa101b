import { Address, type ContractProvider, type Sender, type Transaction } from '@ton/core'
import { type Equal, expectType } from '../../test/support/expectType.ts'
import type { RunningNetwork } from '../cli/dev/startNetwork.ts'
import { assertTransaction, type SendResult, type TestTransaction } from './matchers.ts'

declare const network: RunningNetwork

class Lamp {
  readonly address = new Address(0, Buffer.alloc(32))
  readonly colour = 'red'
  async sendSwitch(_provider: ContractProvider, _via: Sender, _on: boolean): Promise<number> {
    return 1
  }
  async getIsOn(_provider: ContractProvider, _room: string): Promise<boolean> {
    return true
  }
  describe(text: string): string {
    return text
  }
}

export const useKit = async (): Promise<void> => {
  const alice = await network.wallet('alice')
  expectType<Equal<typeof alice.address, Address>>()
  const lamp = network.open(new Lamp())
  const sent = await lamp.sendSwitch(alice.getSender(), true)
  expectType<Equal<typeof sent, SendResult & { result: number }>>()
  const isOn = await lamp.getIsOn('kitchen')
  expectType<Equal<typeof isOn, boolean>>()
  expectType<Equal<ReturnType<typeof lamp.describe>, string>>()
  expectType<Equal<typeof lamp.colour, 'red'>>()
  expectType<Equal<(typeof sent.transactions)[number], TestTransaction>>()
  const found = assertTransaction(sent.transactions, { to: lamp.address, value: (value) => value > 1n, success: true })
  expectType<Equal<typeof found, TestTransaction>>()
  const plain = assertTransaction([] as Transaction[], { exitCode: 0 })
  expectType<Equal<typeof plain, Transaction>>()
  await network.controls.faucet(alice.address, 1n)
  await network.controls.faucet(alice.address.toString(), 1n)
  const { last } = await network.client.v2.getMasterchainInfo()
  expectType<Equal<typeof last.seqno, number>>()
  // @ts-expect-error the provider is given by the network
  await lamp.getIsOn({} as ContractProvider, 'kitchen')
  // @ts-expect-error a transaction has no such member
  assertTransaction(sent.transactions, { colour: 'red' })
  // @ts-expect-error an amount is a bigint
  await network.setBalance(alice.address, 5)
}
