import { alterMessage, alterTransaction, without } from './alterParts.ts'
import { busy, enrich, flip, type Mutation, master, more } from './Mutation.ts'

const transaction = (
  name: string,
  patch: Parameters<typeof alterTransaction>[1],
  complains: RegExp,
  at: Mutation['at'] = busy,
): Mutation => ({
  name,
  at,
  change: ({ accountBlocks }) => ({ accountBlocks: alterTransaction(accountBlocks, patch) }),
  complains,
})

export const transactions: readonly Mutation[] = [
  transaction(
    'a transaction behind the end of its block',
    ({ lt }) => ({ lt: lt + 1_000n }),
    /lt of transaction .* between/,
  ),
  transaction(
    'a transaction before its account is free',
    ({ lt }) => ({ lt: lt % 1_000_000n }),
    /when its account is free/,
  ),
  transaction('the time of a transaction', ({ now }) => ({ now: now + 1 }), /now of transaction/),
  transaction('the previous transaction', ({ prevTransLt }) => ({ prevTransLt: prevTransLt + 1n }), /prev_trans_lt of/),
  transaction('its hash', ({ prevTransHash }) => ({ prevTransHash: flip(prevTransHash) }), /prev_trans_hash of/),
  transaction(
    'the account before a transaction',
    ({ stateUpdate }) => ({ stateUpdate: { ...stateUpdate, oldHash: flip(stateUpdate.oldHash) } }),
    /old hash of transaction/,
  ),
  transaction(
    'the account after a transaction',
    ({ stateUpdate }) => ({ stateUpdate: { ...stateUpdate, newHash: flip(stateUpdate.newHash) } }),
    /new hash of account|old hash of transaction/,
  ),
  transaction('the status of an account', () => ({ origStatus: 'frozen' }), /orig_status of transaction/),
  transaction(
    'the fees of a transaction',
    ({ totalFees }) => ({ totalFees: more(totalFees) }),
    /total_fees of transaction/,
  ),
  transaction(
    'money from nowhere',
    ({ outMsgs, outMsgCount }) => {
      if (outMsgCount === 0) return undefined
      const cell = alterMessage(outMsgs.find(0)!, (old) => ('value' in old ? { fwdFee: 1n } : {}))
      return { outMsgs: outMsgs.set(0, cell) }
    },
    /money of account/,
  ),
  transaction(
    'the time of a sent message',
    ({ outMsgs, outMsgCount, lt }) =>
      outMsgCount === 0
        ? undefined
        : {
            outMsgs: outMsgs.set(
              0,
              alterMessage(outMsgs.find(0)!, () => ({ createdLt: lt })),
            ),
          },
    /created_lt of message 0/,
  ),
  transaction(
    'a message that comes too early',
    ({ inMsg, lt }) => (inMsg === undefined ? undefined : { inMsg: alterMessage(inMsg, () => ({ createdLt: lt })) }),
    /InMsg of transaction/,
  ),
  transaction(
    'a tick later than the first',
    ({ description, lt }) => (description.kind === 'tick_tock' && !description.isTock ? { lt: lt + 1n } : undefined),
    /lt of the tick of/,
    master,
  ),
  transaction(
    'a tock that is missing',
    ({ description }) =>
      description.kind === 'tick_tock' && description.isTock
        ? { description: { ...description, isTock: false } }
        : undefined,
    /tocks of [0-9a-f]{64}: 1/,
    master,
  ),
  {
    name: 'an account block that is missing',
    at: busy,
    change: ({ accountBlocks }) => ({ accountBlocks: without(accountBlocks, () => true) }),
    complains: /no change without a transaction/,
  },
  {
    name: 'an account changed without a transaction',
    at: busy,
    change: (parts) => ({ accounts: enrich(parts) }),
    complains: /no change without a transaction/,
  },
  {
    name: 'the last transaction of an account',
    at: busy,
    change: ({ accounts, accountBlocks }) => {
      const [id, entry] = accounts.entries().find(([key]) => accountBlocks.find(key) !== undefined)!
      return { accounts: accounts.set(id, { ...entry, lastTransLt: entry.lastTransLt + 1n }) }
    },
    complains: /last_trans_lt of account/,
  },
]
