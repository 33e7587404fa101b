import { Type } from 'typebox'
import type { Interface } from '../core/Interface.ts'
import { describeFailure, v3Statuses } from './describeFailure.ts'
import { accountStates } from './endpoints/accountStates.ts'
import { actions } from './endpoints/actions.ts'
import { addressBook } from './endpoints/addressBook.ts'
import { account, addressInformation } from './endpoints/addressInformation.ts'
import { adjacentTransactions } from './endpoints/adjacentTransactions.ts'
import { blocks } from './endpoints/blocks.ts'
import { decode } from './endpoints/decode.ts'
import { dnsRecords } from './endpoints/dnsRecords.ts'
import { estimateFee } from './endpoints/estimateFee.ts'
import { jettonBurns } from './endpoints/jettonBurns.ts'
import { jettonMasters } from './endpoints/jettonMasters.ts'
import { jettonTransfers } from './endpoints/jettonTransfers.ts'
import { jettonWallets } from './endpoints/jettonWallets.ts'
import { masterchainBlockShardState } from './endpoints/masterchainBlockShardState.ts'
import { masterchainBlockShards } from './endpoints/masterchainBlockShards.ts'
import { masterchainInfo } from './endpoints/masterchainInfo.ts'
import { message } from './endpoints/message.ts'
import { messages } from './endpoints/messages.ts'
import { metadata } from './endpoints/metadata.ts'
import { multisigOrders } from './endpoints/multisigOrders.ts'
import { multisigWallets } from './endpoints/multisigWallets.ts'
import { nftCollections } from './endpoints/nftCollections.ts'
import { nftItems } from './endpoints/nftItems.ts'
import { nftSales } from './endpoints/nftSales.ts'
import { nftTransfers } from './endpoints/nftTransfers.ts'
import { pendingActions } from './endpoints/pendingActions.ts'
import { pendingTraces } from './endpoints/pendingTraces.ts'
import { pendingTransactions } from './endpoints/pendingTransactions.ts'
import { runGetMethod } from './endpoints/runGetMethod.ts'
import { topAccountsByBalance } from './endpoints/topAccountsByBalance.ts'
import { events, traces } from './endpoints/traces.ts'
import { transactions } from './endpoints/transactions.ts'
import { transactionsByMasterchainBlock } from './endpoints/transactionsByMasterchainBlock.ts'
import { transactionsByMessage } from './endpoints/transactionsByMessage.ts'
import { vesting } from './endpoints/vesting.ts'
import { wallet, walletInformation } from './endpoints/walletInformation.ts'
import { walletStates } from './endpoints/walletStates.ts'
import type { V3Parts } from './V3Context.ts'

/** The history of the chain, for the clients of the indexed interface. */
export const v3 = {
  prefix: '/api/v3',
  title: 'The history of the chain',
  description:
    'Transactions, messages, traces, tokens, collectibles and what they did, from an index that is kept in a database. ' +
    'Every answer says in its headers up to which masterchain block the index was complete when it was made.',
  // The last number is that of the tables: see presentV3.
  version: '1.2.0',
  endpoints: [
    topAccountsByBalance,
    messages,
    transactionsByMessage,
    transactionsByMasterchainBlock,
    transactions,
    adjacentTransactions,
    decode,
    accountStates,
    addressBook,
    metadata,
    walletStates,
    masterchainInfo,
    blocks,
    masterchainBlockShardState,
    masterchainBlockShards,
    addressInformation,
    account,
    walletInformation,
    wallet,
    message,
    estimateFee,
    runGetMethod,
    traces,
    events,
    actions,
    pendingTraces,
    pendingActions,
    pendingTransactions,
    jettonBurns,
    jettonMasters,
    jettonTransfers,
    jettonWallets,
    nftCollections,
    nftItems,
    nftSales,
    nftTransfers,
    dnsRecords,
    multisigOrders,
    multisigWallets,
    vesting,
  ],
  statuses: v3Statuses,
  commonErrors: ['database_unavailable', 'database_full', 'database_refused', 'database_conflict', 'database_timeout'],
  // Those of v2.
  passedOnStatuses: [422, 500, 504, 533, 542],
  // A thousand addresses, and a thousand hashes, with every character that needs it escaped.
  maxUrlBytes: 1 << 18,
  ignoredMembers: 'all',
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: (failure) => ({ error: describeFailure(failure) }),
  errorSchema: Type.Object(
    { error: Type.String({ description: 'What went wrong.', examples: ['masterchain block 99999999 not found'] }) },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V3Parts>
