import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'

/** What a part of the profile page gets. */
export type ProfilePartProps = { me: CurrentUserDto }
