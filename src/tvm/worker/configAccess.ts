/**
 * Instructions by which code can get at the configuration: its root, a parameter, or the register and the tuple that hold
 * them. Fees and limits have instructions of their own, whose parameters are always there.
 */
const READS_CONFIG = /^execute (?:CONFIG|GETPARAM|PUSH c7\b|PUSHCTR|GETGLOBVAR|RUNVM|.*\bc7\b)/m

/** Whether a run has looked at the configuration, by its log, which has a line for each instruction. */
export const readsConfig = (log: string): boolean => READS_CONFIG.test(log)
