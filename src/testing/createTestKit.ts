import { AsyncLocalStorage } from 'node:async_hooks'
import type { Address, Contract, ContractProvider, Message, Sender, SenderArguments, StateInit } from '@ton/core'
import type { Cell as OwnCell } from '../codec/cell/Cell.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import type { CoverageReport } from '../debug/coverage.ts'
import type { GasSnapshot } from '../debug/gasSnapshot.ts'
import type { SourceMap } from '../debug/sources/SourceMap.ts'
import { externalMessage } from '../devnet/contracts/messages.ts'
import type { Network } from '../devnet/network/createNetwork.ts'
import { ControlInputError } from '../devnet/network/errors.ts'
import { formatRawAddress } from '../primitives/Address.ts'
import {
  findActive,
  getBalance,
  getContractState,
  listAccountTransactions,
  runGetMethod,
  setBalance,
  setState,
} from './accounts.ts'
import {
  type AddressLike,
  type CellLike,
  core,
  toAddress,
  toCell,
  toCoreAddress,
  toCurrencies,
  toStateInit,
} from './core.ts'
import { ContractRuns } from './runs.ts'
import { followTrace, headSeqno, joinResults, toSendResult } from './traces.ts'
import type { SendResult } from './transactions.ts'
import { createWallets, type TestWallet, type WalletOptions } from './wallets.ts'

/** A contract on the network: methods without the provider, and `send…` methods that tell what they did. */
export type OpenedContract<C> = {
  [Name in keyof C]: Name extends `${'get' | 'is'}${string}` | 'sender'
    ? C[Name] extends (provider: ContractProvider, ...args: infer Args) => infer Result
      ? (...args: Args) => Result
      : C[Name]
    : Name extends `send${string}`
      ? C[Name] extends (provider: ContractProvider, ...args: infer Args) => infer Result
        ? (...args: Args) => Promise<SendResult & { result: Awaited<Result> }>
        : C[Name]
      : C[Name]
}

/** Contract tests on a network. A message that is sent here has run to the end of its trace when the call resolves. */
export interface TestKit {
  /** Opens a contract that is written against the provider of `@ton/core`. */
  open<C extends Contract>(contract: C): OpenedContract<C>
  /** The provider of a contract at an address. */
  provider(address: AddressLike, init?: StateInit | null): ContractProvider
  /** A funded wallet: one of the ten accounts, or another name, for which a wallet is made. */
  wallet(name: string, options?: WalletOptions): Promise<TestWallet>
  /** Sends internal messages from any address, also one that is not there. */
  sender(address: AddressLike): Sender
  /** Sends an external-in message, or an internal one as if its source had sent it. */
  sendMessage(message: Message | CellLike): Promise<SendResult>
  getBalance(address: AddressLike): Promise<bigint>
  setBalance(address: AddressLike, nanograms: bigint): Promise<void>
  /** Replaces the code of an account. One that is not active becomes so. */
  setCode(address: AddressLike, code: CellLike): Promise<void>
  /** Replaces the data of an account. One that is not active becomes so. */
  setStorage(address: AddressLike, data: CellLike): Promise<void>
  /** Gas of opened contracts so far: by contract, and by op or get-method. */
  gasSnapshot(): GasSnapshot
  /**
   * Which instructions and branches of a contract ran so far, with a source map which lines. The network has to be started with
   * `coverage`. A contract is an opened one, or named by its address.
   */
  coverage(contract: Contract | AddressLike, map?: SourceMap): Promise<CoverageReport>
}

export type TestKitOptions = {
  /** Records which instructions of opened contracts run, for {@link TestKit.coverage}. Every transaction is then run twice. */
  readonly coverage?: boolean | undefined
}

export const createTestKit = (network: Network, { coverage = false }: TestKitOptions = {}): TestKit => {
  const { store, controls } = network
  const runs = new ContractRuns(network, { coverage })
  /** Results of what the `send…` method of an opened contract has sent so far. */
  const collecting = new AsyncLocalStorage<SendResult[]>()
  const follow = async (send: () => Promise<{ readonly messageHash: Uint8Array }>): Promise<SendResult> => {
    const fromSeqno = headSeqno(store) + 1
    const { messageHash } = await send()
    const traced = await followTrace(network, messageHash, fromSeqno)
    const result = toSendResult(traced)
    await runs.addTrace(traced, result.transactions)
    collecting.getStore()?.push(result)
    return result
  }
  const submit = (message: Parameters<typeof controls.send>[0]) => follow(() => controls.send(message))
  const impersonate = (from: AddressLike, { to, value, bounce, init, body, extracurrency }: SenderArguments) =>
    follow(() =>
      controls.impersonate({
        source: toAddress(from),
        destination: toAddress(to),
        value: toCurrencies(value, extracurrency),
        bounce: bounce ?? true,
        stateInit: init ? toStateInit(init) : undefined,
        body: body ? toCell(body) : emptyCell,
      }),
    )
  const provider = (address: AddressLike, init?: StateInit | null): ContractProvider => {
    const at = toAddress(address)
    /** A contract that is not there yet comes with the first message to it. */
    const missingInit = async (): Promise<StateInit | undefined> =>
      init && (await findActive(network, at)) === undefined ? init : undefined
    return {
      getState: () => getContractState(network, at),
      get: (name, args) => runGetMethod(network, at, name, args, (call) => runs.runMethod(call, `${name}`)),
      external: async (body) => {
        const missing = await missingInit()
        await submit(externalMessage(at, toCell(body), missing && toStateInit(missing)))
      },
      internal: async (via, { value, body, ...args }) => {
        await via.send({
          ...args,
          to: toCoreAddress(at),
          value: typeof value === 'string' ? core().toNano(value) : value,
          bounce: args.bounce ?? true,
          body: typeof body === 'string' ? core().comment(body) : body,
          init: await missingInit(),
        } as SenderArguments)
      },
      open: ((contract: Contract) => open(contract)) as unknown as ContractProvider['open'],
      getTransactions: (account, lt, hash, limit) =>
        listAccountTransactions(network, toAddress(account), { lt, hash }, limit),
    }
  }
  const open = <C extends Contract>(contract: C): OpenedContract<C> => {
    const opened = provider(expectAddress(contract.address), contract.init)
    runs.name(contract)
    return new Proxy(contract, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof name !== 'string' || typeof value !== 'function') return value
        const call = (...args: unknown[]): unknown => value.apply(target, [opened, ...args])
        if (/^(?:get|is|sender$)/.test(name)) return call
        if (!name.startsWith('send')) return value
        return async (...args: unknown[]) => {
          const results: SendResult[] = []
          const result = await collecting.run(results, async () => call(...args))
          return { ...joinResults(results), result }
        }
      },
    }) as unknown as OpenedContract<C>
  }
  return {
    open,
    provider,
    wallet: createWallets(network, submit),
    sender: (address) => ({
      address: toCoreAddress(toAddress(address)),
      send: async (args) => {
        await impersonate(address, args)
      },
    }),
    sendMessage: async (message) => {
      if (!isMessage(message)) return submit(toCell(message))
      const { info, init, body } = message
      if (info.type === 'internal') {
        const { src, dest: to, value, bounce } = info
        const extracurrency = Object.fromEntries(value.other ?? [])
        return impersonate(src, { to, value: value.coins, bounce, init: init ?? null, body, extracurrency })
      }
      if (info.type === 'external-out')
        throw new ControlInputError('An external-out message cannot be sent to a chain.')
      return submit(externalMessage(toAddress(info.dest), toCell(body), init ? toStateInit(init) : undefined))
    },
    getBalance: async (address) => getBalance(network, toAddress(address)),
    setBalance: (address, nanograms) => setBalance(network, toAddress(address), nanograms),
    setCode: (address, code) => setState(network, toAddress(address), { code: toCell(code) }),
    gasSnapshot: () => runs.gasSnapshot(),
    coverage: async (contract, map) => runs.coverage(await getCode(network, contract), map),
    setStorage: (address, data) => setState(network, toAddress(address), { data: toCell(data) }),
  }
}

const getCode = async (network: Network, contract: Contract | AddressLike): Promise<OwnCell> => {
  const isContract = typeof contract === 'object' && 'address' in contract
  const address = toAddress(isContract ? contract.address : contract)
  const code = (await findActive(network, address))?.init.code
  if (code !== undefined) return code
  throw new ControlInputError(`The account ${formatRawAddress(address)} has no code.`)
}

const isMessage = (message: Message | CellLike): message is Message =>
  typeof message === 'object' && 'info' in message && 'body' in message

const expectAddress = (address: Address | undefined): Address => {
  if (address !== undefined && typeof address === 'object' && 'workChain' in address) return address
  throw new ControlInputError('A contract without an address cannot be opened: create it from its configuration first.')
}
