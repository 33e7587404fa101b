/**
 * The protocol as we speak it: 1.1; proof chains, masterchainInfoExt, get-methods, and the shard client's block in
 * masterchainInfoExt.
 */
export const serverVersion = { version: 0x101, capabilities: 15n } as const
