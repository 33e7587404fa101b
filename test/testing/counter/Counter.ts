import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
  SendMode,
} from '@ton/core'

/** What the Tolk compiler makes of counter.tolk. */
export const counterCode =
  'te6ccgEBBwEAvAABFP8A9KQT9LzyyAsBAgFiAgMB+ND4kZEw4CDXLCP0Oyd8jjgx7UTQ0x/TH/pI0QPTP9cLHxKgAsjLHxLLHxL6UsntVPiSyM+FCPpSghDVMnbbzwuOyz/JgED7AODXLCHTqXg0MY4jMO1E0NMf0x8x+kjR+JIhxwXy4ZEByMsfz5AAAAAC+lLJ7VTghA8BxwAEAgFuBQYABPL0AB21Wh2omhpj5jpj/0kGOjAAHbft/aiaGmP6Y+Y/SQY6MA=='

export type CounterConfig = { id: number; counter: number; owner: Address }

/** A wrapper as Blueprint writes them. */
export class Counter implements Contract {
  readonly address: Address
  readonly init?: { code: Cell; data: Cell }

  constructor(address: Address, init?: { code: Cell; data: Cell }) {
    this.address = address
    if (init !== undefined) this.init = init
  }

  static createFromAddress(address: Address): Counter {
    return new Counter(address)
  }

  static createFromConfig({ id, counter, owner }: CounterConfig, workchain = 0): Counter {
    const data = beginCell().storeUint(id, 32).storeUint(counter, 32).storeAddress(owner).endCell()
    const init = { code: Cell.fromBase64(counterCode), data }
    return new Counter(contractAddress(workchain, init), init)
  }

  async sendDeploy(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    await provider.internal(via, { value, sendMode: SendMode.PAY_GAS_SEPARATELY, body: beginCell().endCell() })
  }

  async sendIncrease(
    provider: ContractProvider,
    via: Sender,
    { increaseBy, value, queryId = 0 }: { increaseBy: number; value: bigint; queryId?: number },
  ): Promise<void> {
    const body = beginCell().storeUint(0x7e8764ef, 32).storeUint(queryId, 64).storeUint(increaseBy, 32).endCell()
    await provider.internal(via, { value, sendMode: SendMode.PAY_GAS_SEPARATELY, body })
  }

  async sendReset(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    const body = beginCell().storeUint(0x3a752f06, 32).storeUint(0, 64).endCell()
    await provider.internal(via, { value, sendMode: SendMode.PAY_GAS_SEPARATELY, body })
  }

  async getCounter(provider: ContractProvider): Promise<number> {
    return (await provider.get('currentCounter', [])).stack.readNumber()
  }

  async getID(provider: ContractProvider): Promise<number> {
    return (await provider.get('counterId', [])).stack.readNumber()
  }
}
