// Questions beyond single facts in German, in the form of ../pack.mjs.
export const GROUPS = `
  self.allergy + partner.diet + daughter.allergy + son.dislikes
    Was muss ich wissen, bevor ich für meine Familie koche? / Plane ein Abendessen für uns vier. Was muss wegbleiben? / Welche Lebensmittel sind in unserem Haushalt ein Problem?
  partner.collects + daughter.wish + son.wish + mother.flower
    Gib mir für alle meine Angehörigen eine Idee für ein Geschenk. / Was könnte ich jedem in der Familie schenken? / Ich will alle meine Lieben überraschen. Was würde ihnen gefallen?
  cat.food + dog.medicine + tortoise.place
    Nächste Woche passt eine Freundin auf unsere Tiere auf. Was soll ich ihr aufschreiben? / Schreib eine Anleitung für den Tiersitter. / Was muss man über unsere Haustiere wissen, während wir weg sind?
  self.allergy + self.medicine + self.operation + self.condition
    Ich muss einen Fragebogen zu meiner Gesundheit ausfüllen. Was gehört hinein? / Was sollte eine neue Ärztin über mich wissen? / Fass meine Krankengeschichte zusammen.
  home.stopcock + home.key + home.heating
    Nächste Woche wohnt eine Freundin in unserer Wohnung. Was sollte sie darüber wissen? / Schreib einen Zettel für die Gäste, die bei uns wohnen, während wir weg sind. / Was sind die Eigenheiten unserer Wohnung?
  hobby.music + hobby.sport + hobby.craft
    Was mache ich in meiner Freizeit? / Zähl meine Hobbys auf. / Beschreib, wie ich meine Freizeit verbringe.
  vehicle.bike + vehicle.motorbike + vehicle.boat
    Welche Fahrzeuge besitze ich? / Zähl alles auf, womit ich zu Land und zu Wasser unterwegs bin. / Womit fahre und segle ich?
  weekly.class + weekly.volunteer + weekly.call
    Wie sieht meine übliche Woche aus? / Welche regelmäßigen Verpflichtungen habe ich? / Was steht jede Woche fest in meinem Kalender?
  self.dish + self.drink + self.allergy
    Du sollst für mich allein kochen. Was mag ich, und was muss ich meiden? / Was sollte ein Gastgeber über meinen Geschmack wissen?
`;

export const FOLLOW_UPS = `
  sister.town
    Erzähl mir von meiner Schwester. / Was weißt du über meine Schwester?
    Und wo wohnt sie? / In welcher Stadt ist sie?
  brother.job
    Erzähl mir von meinem Bruder. / Erinnerst du dich an meinen Bruder?
    Was macht er beruflich? / Und was ist seine Arbeit?
  friend.town
    Reden wir über meine beste Freundin. / Wer ist meine beste Freundin?
    Und wo liegt die Wohnung? / Wo würde ich sie besuchen?
  daughter.school
    Erzähl mir von meiner Tochter. / Was weißt du über meine Tochter?
    Auf welche Schule geht sie? / Und ihre Schule?
  daughter.allergy
    Ich backe etwas für meine Tochter. / Meine Tochter kommt bald nach Hause.
    Gibt es etwas, das sie nicht essen darf? / Wogegen ist sie allergisch?
  neighbour.plays
    Erzähl mir von meiner Nachbarin von oben. / Erinnerst du dich an meine Nachbarin?
    Welches Instrument war das noch mal? / Und was höre ich nachts?
  landlady.town
    Ich muss meine Vermieterin erreichen. / Erzähl mir von meiner Vermieterin.
    Wo ist sie im Winter? / Und wohin geht sie, wenn es kalt wird?
  grandmother.village
    Erzähl mir von meiner Großmutter. / Erinnerst du dich an meine Großmutter?
    Wo wurde sie geboren? / Und woher stammt sie?
  cat.food
    Reden wir über meine Katze. / Erinnerst du dich an meine Katze?
    Was frisst sie? / Und was kommt in den Napf?
  dog.medicine
    Reden wir über meinen Hund. / Erinnerst du dich an meinen Hund?
    Was bekommt er jeden Abend? / Und was braucht er?
  son.wish
    Erzähl mir von meinem Sohn. / Mein Sohn hat bald Geburtstag.
    Wovon träumt er? / Und was wünscht er sich?
`;

export const CHANGES = `
  home.town = TOWN
    Ich wohne in {v}. / Mein Zuhause ist in {v}.
    Wir sind umgezogen: Ich wohne jetzt in {v}. / Der Umzug ist geschafft, seit Montag wohne ich in {v}.
    Wo wohne ich? / In welcher Stadt wohne ich jetzt? / Wo bin ich zu Hause?
  home.street = STREET
    Meine Adresse ist {v2} 14. / Du findest mich unter der Adresse {v2} 14.
    Meine neue Adresse ist {v2} 3. / Meine Adresse hat sich geändert, jetzt {v2} 3.
    Wie lautet meine Adresse? / Welche Adresse schreibe ich auf ein Paket an mich?
  work.company = COMPANY
    Ich arbeite bei {v}. / Mein Arbeitgeber ist {v}.
    Ich habe die Stelle gewechselt und arbeite jetzt bei {v}. / Mein neuer Arbeitgeber ist {v}.
    Wer ist mein Arbeitgeber? / Bei welcher Firma arbeite ich? / Wo arbeite ich zurzeit?
  work.boss = WOMAN
    Meine Chefin heißt {v}. / Der Name meiner Chefin ist {v}.
    Wir haben eine neue Chefin, sie heißt {v}. / Die Chefin ist gegangen, meine neue Chefin ist {v}.
    Wie heißt meine Chefin? / Wer ist meine Chefin? / Wie ist der Name der Chefin zurzeit?
  work.project = PROJECT
    In der Arbeit bin ich im Projekt {v}. / Mein Projekt in der Arbeit heißt {v}.
    Man hat mich in ein anderes Projekt gesteckt, {v}. / Mein Projekt wurde eingestellt, das neue heißt {v}.
    In welchem Projekt bin ich? / Wie heißt mein Projekt in der Arbeit?
  car.make = MAKER
    Mein Auto ist ein {v}. / Ich fahre ein Auto von {v}.
    Ich habe mein Auto verkauft und fahre jetzt einen {v}. / Mein neues Auto ist ein {v}.
    Welches Auto fahre ich? / Was für ein Auto habe ich?
  coffee.order = Cortado / Macchiato / Ristretto / Lungo / Mokka / Cappuccino / Affogato / Melange
    Mein üblicher Kaffee ist ein {v}. / Im Café bestelle ich immer einen {v}.
    Ich bin meinen üblichen Kaffee leid, ab jetzt ist es {v}. / Im Café bestelle ich neuerdings immer {v}.
    Was ist mein üblicher Kaffee? / Was bestelle ich im Café?
  physio.name = SURNAME
    Meine Physiotherapeutin ist Frau {v}. / Wegen meines Rückens gehe ich zur Physiotherapeutin, Frau {v}.
    Ich bin zu einer anderen Physiotherapeutin gewechselt, Frau {v}. / Meine neue Physiotherapeutin ist Frau {v}.
    Wer ist meine Physiotherapeutin? / Wie heißt die Physiotherapeutin für meinen Rücken?
  language.course = LANGUAGE
    Ich habe einen Sprachkurs begonnen, {v}. / Die Sprache, die ich gerade lerne, ist {v}.
    Ich habe den Sprachkurs aufgegeben und lerne stattdessen {v}. / Die Sprache, die ich lerne, ist jetzt {v}, die andere habe ich aufgegeben.
    Welche Sprache lerne ich? / Welchen Sprachkurs besuche ich?
  book.now = TITLE
    Das Buch auf meinem Nachttisch ist {v}. / Ich lese im Moment das Buch {v}.
    Ich bin mit dem Buch fertig und lese im Moment {v}. / Das Buch auf meinem Nachttisch ist jetzt {v}.
    Was lese ich im Moment? / Welches Buch liegt auf meinem Nachttisch?
  training.partner = MAN
    Ich gehe mit {v} laufen. / Mein Laufpartner ist {v}.
    Mein Laufpartner ist weggezogen, jetzt gehe ich mit {v} laufen. / Ich gehe jetzt mit einem anderen laufen, mit {v}.
    Mit wem gehe ich laufen? / Wer ist mein Laufpartner?
`;

export const EVENTS = `
  event.hamster = PET
    Heute haben wir einen Hamster aus dem Tierasyl geholt, er heißt {v}. / Heute ist ein Hamster bei uns eingezogen: {v}.
    Wann haben wir den Hamster bekommen? / Seit wann haben wir den Hamster?
  event.marathon = TOWN
    Heute früh habe ich mich zum Marathon in {v} angemeldet. / Geschafft: Heute habe ich mich für den Marathon in {v} angemeldet.
    Wann habe ich mich zum Marathon angemeldet? / An welchem Tag war die Anmeldung zum Marathon?
  event.bazaar = INSTRUMENT
    Beim Schulbasar habe ich heute ein Instrument verschenkt: {v}. / Heute habe ich dem Schulbasar ein Instrument geschenkt, {v}.
    Wann war der Schulbasar? / Wann habe ich dem Schulbasar etwas geschenkt?
  event.nephew = MAN
    Mein Neffe {v} ist letzte Nacht geboren! / Gute Nachricht: Mein Neffe ist heute früh geboren, er heißt {v}.
    Wann ist mein Neffe geboren? / Wann ist der Geburtstag meines Neffen?
  event.wrist = SURNAME
    Ich habe mir heute das Handgelenk gebrochen; Doktor {v} hat es eingegipst. / Seit heute früh ist mein Handgelenk gebrochen, Doktor {v} hat es gerichtet.
    Wann habe ich mir das Handgelenk gebrochen? / An welchem Tag war das mit dem gebrochenen Handgelenk?
  event.fridge = MAKER
    Heute Nachmittag wurde der neue Kühlschrank geliefert, ein {v}. / Unser neuer Kühlschrank ist heute gekommen, ein {v}.
    Wann kam der neue Kühlschrank? / Wann wurde der Kühlschrank geliefert?
  event.boiler = COMPANY
    Heute früh ist der Boiler ausgefallen, {v} hat einen Monteur geschickt. / Unser Boiler ist heute kaputtgegangen, {v} hat ihn repariert.
    Wann ist der Boiler ausgefallen? / An welchem Tag ging unser Boiler kaputt?
  event.visit = TOWN
    Meine Eltern sind heute angekommen, den ganzen Weg aus {v}. / Meine Eltern sind heute früh mit dem Zug aus {v} angekommen.
    Wann sind meine Eltern angekommen? / Seit wann sind meine Eltern hier?
  event.licence = SURNAME
    Ich habe heute die Fahrprüfung bestanden, der Prüfer war Herr {v}. / Herr {v} hat mich heute früh die Fahrprüfung bestehen lassen!
    Wann habe ich die Fahrprüfung bestanden? / An welchem Tag war meine Fahrprüfung?
  event.vote = WOMAN
    Unser Chor hat heute {v} zur Vorsitzenden gewählt. / Heute hat der Chor {v} als Vorsitzende gewählt.
    Wann hat unser Chor die Vorsitzende gewählt? / Wann war die Wahl in unserem Chor?
`;

export const NEVER_TOLD = `
  parrot.name = PET
    Mein Papagei heißt {v}. / Unser Papagei {v} redet den ganzen Tag.
    Wie heißt mein Papagei? / Wie ist der Name meines Papageis?
    Wer plappert bei uns im Käfig?
  horse.name = PET
    Mein Pferd heißt {v}. / Am Wochenende reite ich mein Pferd {v}.
    Wie heißt mein Pferd? / Welches Pferd reite ich?
    Wessen Sattel hängt in meinem Stall?
  university.town = TOWN
    Ich habe an der Universität in {v} studiert. / Meine Universität war in {v}.
    Wo habe ich studiert? / An welcher Universität war ich?
    Wo habe ich meinen Abschluss gemacht?
  teacher.name = SURNAME
    Meine erste Lehrerin war Frau {v}. / Frau {v} war meine erste Lehrerin.
    Wer war meine erste Lehrerin? / Wie hieß meine erste Lehrerin?
    Welche Frau hat mir das Lesen beigebracht?
  aunt.name = WOMAN
    Meine Tante heißt {v}. / Meine Tante {v} backt das beste Brot.
    Wie heißt meine Tante? / Wie ist der Name meiner Tante?
    Wie heißt Papas Geschwister?
  aunt.town = TOWN
    Meine Tante wohnt in {v}. / Meine Tante ist nach {v} gezogen.
    Wo wohnt meine Tante? / In welcher Stadt ist meine Tante?
    Wo würde ich Papas Geschwister besuchen?
  lawyer.name = SURNAME
    Mein Anwalt ist Herr {v}. / Herr {v} ist mein Anwalt.
    Wer ist mein Anwalt? / Wie heißt mein Anwalt?
    Welcher Jurist würde mich vor Gericht verteidigen?
  printer.make = MAKER
    Mein Drucker ist ein {v}. / Ich habe einen Drucker gekauft, einen {v}.
    Was für einen Drucker habe ich? / Welchen Drucker habe ich gekauft?
    Welche Marke bringt meine Dokumente aufs Papier?
  twin.name = MAN
    Mein Zwillingsbruder heißt {v}. / Mein Zwillingsbruder {v} ist größer als ich.
    Wie heißt mein Zwillingsbruder? / Wer ist mein Zwilling?
    Wer wurde in derselben Stunde geboren wie ich?
  summerhouse.street = STREET
    Mein Sommerhaus steht in der Gasse {v}. / Wir haben ein Sommerhaus in der Gasse {v}.
    Wo steht mein Sommerhaus? / In welcher Gasse ist unser Sommerhaus?
    Wo verbringen wir die warmen Wochenenden im Garten?
`;
