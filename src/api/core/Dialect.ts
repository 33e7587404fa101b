/** How the network is called where its name stands alone: neutrally, or as the ecosystem of clients spells it. */
export type Dialect = 'chain' | 'ton'
