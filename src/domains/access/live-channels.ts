/** The PostgreSQL channel on which triggers tell whose rights or sessions changed: the user's id, or nothing for everyone's. */
export const rightsChannel = 'leadline_rights'
