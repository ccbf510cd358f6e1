import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'

export type ProfilePartProps = { me: CurrentUserDto }
