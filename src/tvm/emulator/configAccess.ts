/**
 * Instructions by which code can get at the configuration: its root, a parameter, or the register and the tuple that hold
 * them. Fees and limits have instructions of their own, whose parameters are always there.
 */
const READS_CONFIG = /^execute (?:CONFIG|GETPARAM|PUSH c7\b|PUSHCTR|GETGLOBVAR|RUNVM|.*\bc7\b)/m

/**
 * Instructions whose outcome is another in another block: those above, and all that tell of time, balance, fees, earlier
 * blocks, random numbers or the incoming message. The contract's own address and code are not among them.
 */
const READS_BLOCK =
  /^execute (?:NOW|BLOCKLT|LTIME|BALANCE|DUEPAYMENT|INCOMINGVALUE|STORAGEFEES|PREV|UNPACKEDCONFIG|GLOBALID|INMSG|SENDMSG|RAND|SETRAND|ADDRAND|GET(?:PRECOMPILED|EXTRABALANCE|[A-Z]*FEE)|XLOAD)/m

/** Whether a run has looked at the configuration, by its log, which has a line for each instruction. */
export const readsConfig = (log: string): boolean => READS_CONFIG.test(log)

/** Whether a run has looked at anything that changes from block to block. */
export const readsBlock = (log: string): boolean => readsConfig(log) || READS_BLOCK.test(log)
