import type { Account } from '../../../src/codec/tlb/Account.ts'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { type AccountMoment, findAccountBefore, listAccountChanges, momentOf } from './accountChanges.ts'
import { balanceOf, surplusOf } from './accountMoney.ts'
import { type Amount, NOTHING, subtractAmount, sumAmounts } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { AccountBlockView } from './BlockView.ts'
import type { Findings } from './Findings.ts'
import { holds } from './routes.ts'

/** Accounts change by their transactions and not otherwise. Gives what a developer's hand added to balances. */
export const checkAccounts = (context: BlockContext, findings: Findings): Amount => {
  const { block, own, memory, options } = context
  const added: Amount[] = []
  for (const accountBlock of block.accountBlocks.values()) {
    const { account } = accountBlock
    const place = { workchain: own.workchain, prefix: BigInt(`0x${account.slice(0, 16)}`) }
    findings.isTrue('account of an account block', holds(own, place), 'one of the shard', account)
    findings.equal('account_addr of an account block', toHex(accountBlock.block.accountAddr), account)
    added.push(checkAccount(context, accountBlock, findings))
  }
  for (const { account, before, after } of listAccountChanges(context)) {
    const young = momentOf(after).account
    checkAddress(account, young, own.workchain, findings)
    if (block.accountBlocks.has(account)) continue
    if (!options.allowDevControls) {
      findings.fail(`account ${account}`, 'no change without a transaction', 'another state')
      continue
    }
    memory.overrides++
    added.push(subtractAmount(balanceOf(young), balanceOf(momentOf(before).account)))
  }
  return sumAmounts(added)
}

const checkAddress = (name: string, account: Account, workchain: number, findings: Findings): void => {
  if (account.kind === 'none') return
  const { address } = account
  findings.equal(`address of account ${name}`, address.kind === 'std' ? toHex(address.hash) : address.kind, name)
  findings.equal(`workchain of account ${name}`, address.workchain, workchain)
}

const checkAccount = (context: BlockContext, accountBlock: AccountBlockView, findings: Findings): Amount => {
  const { account, block, transactions } = accountBlock
  const old = momentOf(findAccountBefore(context, account))
  const young = momentOf(context.after.accounts.find(fromHex(account)))
  const firstHash = toHex(transactions[0]!.tx.stateUpdate.oldHash)
  findings.equal(`old hash in the account block of ${account}`, toHex(block.stateUpdate.oldHash), firstHash)
  findings.equal(`new hash in the account block of ${account}`, toHex(block.stateUpdate.newHash), young.hash)
  const isOverridden = context.options.allowDevControls && firstHash !== old.hash
  checkChain(accountBlock, old, young, isOverridden, findings)
  const surplus = surplusOf(accountBlock, old.account, young.account, context.config.ihrFeeCounts)
  if (isOverridden) {
    context.memory.overrides++
    return surplus
  }
  if (!isBlackhole(context, account)) findings.equal(`money of account ${account}`, surplus, NOTHING)
  return NOTHING
}

const statusOf = (account: Account): string => (account.kind === 'none' ? 'nonexist' : account.state.kind)

/** Each transaction starts from the account as the one before left it, and names that transaction. */
const checkChain = (
  { account, transactions }: AccountBlockView,
  old: AccountMoment,
  young: AccountMoment,
  isOverridden: boolean,
  findings: Findings,
): void => {
  const first = transactions[0]!.tx
  let last = {
    hash: isOverridden ? toHex(first.stateUpdate.oldHash) : old.hash,
    status: isOverridden ? first.origStatus : statusOf(old.account),
    transHash: old.lastTransHash,
    transLt: old.lastTransLt,
  }
  for (const { tx, hash } of transactions) {
    const name = `transaction ${account}:${tx.lt}`
    findings.equal(`account_addr of ${name}`, toHex(tx.accountAddr), account)
    findings.equal(`prev_trans_hash of ${name}`, toHex(tx.prevTransHash), last.transHash)
    findings.equal(`prev_trans_lt of ${name}`, tx.prevTransLt, last.transLt)
    findings.equal(`old hash of ${name}`, toHex(tx.stateUpdate.oldHash), last.hash)
    findings.equal(`orig_status of ${name}`, tx.origStatus, last.status)
    last = { hash: toHex(tx.stateUpdate.newHash), status: tx.endStatus, transHash: hash, transLt: tx.lt }
  }
  findings.equal(`new hash of account ${account}`, last.hash, young.hash)
  findings.equal(`end_status of account ${account}`, last.status, statusOf(young.account))
  if (young.account.kind === 'none') return
  findings.equal(`last_trans_hash of account ${account}`, young.lastTransHash, last.transHash)
  findings.equal(`last_trans_lt of account ${account}`, young.lastTransLt, last.transLt)
  const { lastTransLt } = young.account
  findings.equal(`last_trans_lt in the storage of account ${account}`, lastTransLt, transactions.at(-1)!.endLt)
}

/** What comes to this account is burned, so nothing has to add up there. */
const isBlackhole = ({ config, isMaster }: BlockContext, account: string): boolean => {
  const address = config.burning?.blackholeAddress
  return isMaster && address !== undefined && toHex(address) === account
}
