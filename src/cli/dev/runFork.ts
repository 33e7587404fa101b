import { resolve } from 'node:path'
import { openAccount } from '../../codec/tlb/Account.ts'
import { type AccountRecord, ForkRecords } from '../../devnet/fork/ForkRecords.ts'
import { readNetworkFile } from '../../devnet/network/networkFile.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { networkFolder } from '../start/prepareNetwork.ts'

/** Shows what a fork has fetched. It reads files only, also while the network is running. */
export const runFork = async ({ config, workingDir, show }: CommandContext, [action]: readonly string[]) => {
  if (action !== 'status') {
    throw new UsageError(`Unknown action ${JSON.stringify(action ?? '')}.`, 'Use: chaincenter fork status')
  }
  const folder = networkFolder(resolve(workingDir, config.dataDir))
  const fork = (await readNetworkFile(folder))?.fork
  if (fork === undefined) {
    throw new UsageError(
      `There is no fork in ${folder}.`,
      'Create one with: chaincenter dev --fork main; another data folder is given with --data-dir.',
    )
  }
  const { name, point } = fork
  const records = new ForkRecords(folder)
  const accounts = records.listAccounts().map(describeAccount)
  const libraries = records
    .listLibraries()
    .map(({ hash, library }) => ({ hash: toHex(hash), exists: library !== undefined }))
  const time = new Date(point.utime * 1000).toISOString()
  const text = [
    `A fork of ${name} at block ${formatBlockId(point.block)} of ${time}.`,
    `Fetched: ${accounts.length} accounts (${accounts.filter(({ status }) => status !== 'nonexist').length} exist), ${libraries.length} libraries.`,
    ...(accounts.length === 0 ? [] : ['']),
    ...accounts.map(
      ({ address, status, balance, importedAt }) =>
        `  ${address}  ${status.padEnd(8)}  ${balance.padStart(20)}  ${importedAt === undefined ? 'not imported' : `since block ${importedAt}`}`,
    ),
    ...libraries.map(({ hash, exists }) => `  library ${hash}  ${exists ? 'found' : 'not published'}`),
  ].join('\n')
  show({
    text,
    value: {
      fork: name,
      block: formatBlockIdExt(point.block),
      seqno: point.block.seqno,
      utime: point.utime,
      globalId: point.globalId,
      accounts,
      libraries,
    },
  })
}

const describeAccount = ({ address, found, importedAt }: AccountRecord) => {
  const account = found && openAccount(found.account)
  const isThere = account?.kind === 'account'
  return {
    address: formatRawAddress(address),
    status: isThere ? account.state.kind : ('nonexist' as const),
    balance: (isThere ? account.balance.grams : 0n).toString(),
    lastTransactionLt: (found?.lastTransLt ?? 0n).toString(),
    importedAt,
  }
}
