// Facts in German, in the form of ../pack.mjs.
export const VALUES = {
  WOMAN: `Adelheid Benedikta Cosima Dorothea Eleonore Friederike Griseldis Henrike Isolde Jolanthe Katharina Leokadia Mechthild Notburga Ottilie
    Philippa Quirina Rosalinde Seraphina Theodora Ulrike Valentina Wilhelmine Xenia Yolanda Zenobia Annegret Clementine Emmeline Gundula
    Hildegard Irmtraud Kunigunde Ludmilla Melusine Roswitha Walburga`,
  MAN: `Aurelio Bartholomäus Kasimir Dominikus Eberhard Ferdinand Gotthilf Hadrian Ignaz Joachim Konstantin Leopold Matthias Nikodemus Ottokar
    Philemon Quirin Raimund Sebastian Tiberius Ulrich Valentin Wolfram Xaver Yannick Zacharias Balthasar Dagobert Florentin Gereon Hannibal
    Kilian Leander Sigismund`,
  PET: `Pumpernickel Schnurrbart Biscotti Falafel Marzipan Tapioka Muskat Paprika Zinnober Wombat Gnocchi Kumquat Brezel Tofu Mochi Bagheera
    Kleopatra Sputnik Gulliver Zorro Figaro Nimbus Waffel Chutney Radieschen Sardine Knödel Makrone Pistazie Safran Wasabi Zucchini Rumpelstilz
    Krümel`,
  TOWN: `Augsburg Bamberg Chemnitz Dortmund Eisenach Flensburg Görlitz Heidelberg Ingolstadt Jena Konstanz Lüneburg Mannheim Nürnberg Oldenburg
    Passau Quedlinburg Regensburg Schwerin Tübingen Ulm Villach Würzburg Xanten Zwickau Bregenz Coburg Detmold Emden Freiburg Göttingen Husum
    Innsbruck Kufstein Linz Münster Naumburg Osnabrück Potsdam Rostock Salzburg Trier Uelzen Weimar`,
  SURNAME: `Abendroth Birkenstock Castell Drummer Eichendorff Feuerstein Goldschmidt Hagedorn Immenhof Jankowski Kowalczyk Lindqvist Montefiore
    Nachtigall Oberländer Pfannenstiel Quandt Rasmussen Sonnenschein Thorwald Unterberger Vogelsang Wiesengrund Zimmermann Achterberg
    Bellinghausen Dankwart Ellingsen Federspiel Holzapfel`,
  STREET: `Ahornblatt|Ahornblattweg Birkenhain|Birkenhainweg Dachsbau|Dachsbauweg Efeuturm|Efeuturmweg Fliederbusch|Fliederbuschweg
    Ginster|Ginsterweg Holunder|Holunderweg Immergrün|Immergrünweg Jasmin|Jasminweg Kastanienhof|Kastanienhofweg
    Lerchensporn|Lerchenspornweg Maulbeer|Maulbeerweg Nelken|Nelkenweg Orchideen|Orchideenweg Primel|Primelweg Rosenstock|Rosenstockweg
    Salbei|Salbeiweg Thymian|Thymianweg Ulmenhain|Ulmenhainweg Wacholder|Wacholderweg`,
  COMPANY: `Altmoor Brightwater Corvantis Dornfeld Emberlin Ferrovia Glasflügel Hartmannsdorf Inkwell Jadestein Kestrelcore Lumenforge Meridianta
    Nordlicht Opalwerk Pinebridge Quillon Rheinstein Silberbach Tallgras`,
  MAKER: `Ashlan Borealto Cindra Dovale Elmira Fjordan Galvera Hexton Ivanta Jorvik Kelmar Lorentz Mondera Norvex Oristan Pellado Quasaro Rondelle
    Solvanto Tervola Ulvik Vantera`,
  DISH: `Gulasch Ratatouille Moussaka Paella Bouillabaisse Risotto Tiramisu Lasagne Couscous Borschtsch Carbonara Sauerbraten Jambalaya Kaiserschmarrn`,
  TITLE: `Buddenbrooks Ulysses Effi-Briest Dracula Frankenstein Siddhartha Nostromo Middlemarch Momo Stiller Radetzkymarsch Ivanhoe`,
  LANGUAGE: `Finnisch Katalanisch Walisisch Suaheli Koreanisch Isländisch Baskisch Ungarisch Maltesisch Georgisch Estnisch Norwegisch`,
  INSTRUMENT: `Fagott Oboe Cello Mandoline Akkordeon Klarinette Posaune Harfe Banjo Ukulele Bratsche Saxophon Laute Flügelhorn`,
  PROJECT: `Albatros Hummel Karakal Libelle Ameisenbär Flamingo Gazelle Reiher Steinbock Dohle Eisvogel Luchs Seekuh Narwal`,
};

export const FACTS = `
  partner.name = MAN
    Mein Partner heißt {v}. / Der Name meines Partners ist {v}. / Ich sollte meinen Partner vorstellen: {v}.
    Wie heißt mein Partner? / Wie lautet der Name meines Partners?
    Mit welchem Menschen teile ich mein Leben? / Wer ist meine bessere Hälfte?
  partner.collects = Fingerhüte / Postkarten / Füllfederhalter / Schneekugeln / Schachspiele / Barometer / Sextanten
    Mein Partner sammelt {v}. / Die Regale sind voll, weil mein Partner {v} sammelt.
    Was sammelt mein Partner? / Was hat mein Partner gesammelt?
    Nach welchen Dingen sucht meine bessere Hälfte auf dem Flohmarkt?
  partner.diet = Pilze / Auberginen / Koriander / Ziegenkäse / Oliven / Kapern
    Mein Partner isst niemals {v}. / Eins wird mein Partner nie essen: {v}.
    Was isst mein Partner niemals? / Was will mein Partner nicht essen?
    Welche Zutat lehnt meine bessere Hälfte ab?
  daughter.name = WOMAN
    Meine Tochter heißt {v}. / Wir haben unsere Tochter {v} genannt, nach ihrer Großtante. / Der Name meiner Tochter ist {v}.
    Wie heißt meine Tochter? / Wie ist der Name meiner Tochter?
    Wie rufen wir unser Mädchen? / Auf welchen Namen ist unsere Kleine getauft?
  daughter.school = STREET
    Meine Tochter geht auf die {v}-Grundschule. / Seit August besucht meine Tochter die {v}-Grundschule.
    Auf welche Schule geht meine Tochter? / Welche Grundschule besucht meine Tochter?
    Wo hat unser Mädchen Unterricht?
  daughter.allergy = Walnüsse / Erdbeeren / Sesam / Schalentiere / Sellerie / Lupinen / Kiwis
    Meine Tochter ist allergisch gegen {v}. / Wir müssen aufpassen, meine Tochter ist gegen {v} allergisch.
    Wogegen ist meine Tochter allergisch? / Welche Allergie hat meine Tochter?
    Von welchem Lebensmittel wird unser Mädchen krank? / Was könnte unsere Kleine ins Krankenhaus bringen?
  daughter.wish = Teleskop / Skateboard / Mikroskop / Kaleidoskop / Trampolin / Terrarium / Mosaik
    Meine Tochter wünscht sich zum Geburtstag ein {v}. / Der einzige Wunsch meiner Tochter zum Geburtstag ist ein {v}.
    Was wünscht sich meine Tochter zum Geburtstag? / Was sind die Geburtstagswünsche meiner Tochter?
    Welches Geschenk würde unser Mädchen glücklich machen?
  son.name = MAN
    Mein Sohn heißt {v}. / Der Name meines Sohnes ist {v}. / Für unseren Sohn haben wir den Namen {v} gewählt.
    Wie heißt mein Sohn? / Wie ist der Name meines Sohnes?
    Wie rufen wir unseren Jungen? / Welchen Namen trägt unser Junge?
  son.dislikes = Brokkoli / Spinat / Linsen / Blumenkohl / Rote Bete / Grünkohl / Spargel
    Mein Sohn hasst {v}. / Beim Abendessen gab es wieder Streit, weil mein Sohn {v} hasst.
    Was hasst mein Sohn? / Welches Essen hat mein Sohn schon immer gehasst?
    Welches Gemüse sollte nicht auf den Teller unseres Jungen?
  son.wish = Schlagzeug / Drachen / Kompass / Zauberkasten / Fernglas / Puppentheater / Metallbaukasten
    Mein Sohn träumt von diesem Wunsch: {v}. / Mein Sohn wünscht sich zu Weihnachten nur eines: {v}.
    Wovon träumt mein Sohn? / Was hat sich mein Sohn gewünscht?
    Welches Geschenk würde unseren Jungen glücklich machen?
  sister.name = WOMAN
    Meine Schwester heißt {v}. / Der Name meiner Schwester ist {v}. / Meine Schwester {v} hat vorhin angerufen.
    Wie heißt meine Schwester? / Wie ist der Name meiner Schwester?
    Wie heißt das Mädchen, mit dem ich aufgewachsen bin?
  sister.town = TOWN
    Meine Schwester wohnt in {v}. / Meine Schwester hat ein Häuschen in {v}. / Meine Schwester ist nach {v} gezogen.
    Wo wohnt meine Schwester? / In welcher Stadt hat meine Schwester ihr Haus?
    Wohin müsste ich reisen, um das Mädchen zu besuchen, mit dem ich aufgewachsen bin?
  brother.name = MAN
    Mein Bruder heißt {v}. / Der Name meines Bruders ist {v}. / Mein Bruder {v} hat mir mit den Regalen geholfen.
    Wie heißt mein Bruder? / Wie ist der Name meines Bruders?
    Wie heißt der Junge, mit dem ich aufgewachsen bin?
  brother.job = Schlosser / Imker / Landvermesser / Glaser / Kartograf / Steinmetz / Fährmann / Klavierstimmer
    Mein Bruder arbeitet als {v}. / Mein Bruder verdient sein Geld mit der Arbeit als {v}.
    Als was arbeitet mein Bruder? / Welche Arbeit hat mein Bruder?
    Welches Handwerk hat mein männliches Geschwister gelernt?
  mother.flower = Pfingstrosen / Hyazinthen / Dahlien / Gladiolen / Kamelien / Freesien / Hortensien
    Die Lieblingsblumen meiner Mutter sind {v}. / Meine Mutter liebt {v} mehr als alle anderen Blumen.
    Was sind die Lieblingsblumen meiner Mutter? / Welche Blume liebt meine Mutter?
    Welchen Strauß sollte ich für Mama kaufen?
  father.past = Leuchtturmwärter / Straßenbahnfahrer / Uhrmacher / Förster / Matrose / Schriftsetzer
    Mein Vater war {v}, bevor er in Rente ging. / Bis zur Rente war mein Vater {v}.
    Was war mein Vater, bevor er in Rente ging? / Was hat mein Vater bis zur Rente gemacht?
    Welche Laufbahn hatte Papa?
  grandmother.name = WOMAN
    Meine Großmutter heißt {v}. / Der Name meiner Großmutter ist {v}. / Meine Großmutter {v} wird dieses Jahr neunzig.
    Wie heißt meine Großmutter? / Wie ist der Name meiner Großmutter?
    Wie heißt Oma?
  grandmother.village = TOWN
    Meine Großmutter stammt aus {v}. / Meine Großmutter ist in {v} geboren.
    Woher stammt meine Großmutter? / Wo wurde meine Großmutter geboren?
    Wo steht Omas Geburtshaus?
  friend.name = WOMAN
    Meine beste Freundin heißt {v}. / Der Name meiner besten Freundin ist {v}. / Meine beste Freundin {v} kenne ich seit der Schule.
    Wie heißt meine beste Freundin? / Wer ist meine beste Freundin?
    Wer steht mir außerhalb der Familie am nächsten?
  friend.town = TOWN
    Meine beste Freundin hat eine Wohnung in {v}. / Meine beste Freundin wohnt jetzt in {v}.
    Wo wohnt meine beste Freundin? / In welcher Stadt liegt die Wohnung meiner besten Freundin?
    Wohin schicke ich einen Brief an den Menschen, der mir außerhalb der Familie am nächsten steht?
  neighbour.name = WOMAN
    Meine Nachbarin von oben heißt {v}. / Der Name meiner Nachbarin von oben ist {v}.
    Wie heißt meine Nachbarin? / Wie ist der Name meiner Nachbarin?
    Wer lebt ein Stockwerk über uns?
  neighbour.plays = INSTRUMENT
    Meine Nachbarin spielt {v}, meistens nachts. / Durch die Decke höre ich, wie meine Nachbarin {v} übt.
    Welches Instrument spielt meine Nachbarin? / Was hat meine Nachbarin gespielt?
    Welche Geräusche kommen aus dem Stockwerk über uns?
  landlady.name = WOMAN
    Meine Vermieterin heißt {v}. / Meine Vermieterin {v} kam wegen der Miete vorbei.
    Wie heißt meine Vermieterin? / Wie ist der Name meiner Vermieterin?
    Wem gehört die Wohnung, in der ich lebe?
  landlady.town = TOWN
    Meine Vermieterin verbringt den Winter in {v}. / Im Winter ist meine Vermieterin in {v}.
    Wo verbringt meine Vermieterin den Winter? / Wo ist meine Vermieterin in den Wintermonaten?
    Wo ist die Eigentümerin meiner Wohnung in der kalten Jahreszeit?
  cat.name = PET
    Meine Katze heißt {v}. / Der Name meiner Katze ist {v}. / Wir haben die Katze {v} genannt.
    Wie heißt meine Katze? / Wie ist der Name meiner Katze?
    Wer schnurrt auf meinem Sofa? / Auf welchen Namen hört unsere Mieze?
  cat.food = Forelle / Hering / Makrele / Fasan / Entenleber / Thunfisch
    Meine Katze frisst nur {v}. / Meine Katze lehnt alles ab außer {v}.
    Was frisst meine Katze? / Was ist das Einzige, das meine Katze nicht ablehnt?
    Womit fülle ich den Napf unserer Mieze?
  dog.name = PET
    Mein Hund heißt {v}. / Der Name meines Hundes ist {v}. / Unser Hund {v} hat das Gewitter verschlafen.
    Wie heißt mein Hund? / Wie ist der Name meines Hundes?
    Wer bellt, wenn es bei uns klingelt? / Wie heißt unser Vierbeiner, der bellt?
  dog.medicine = Augentropfen / Herztabletten / Wurmpaste / Schilddrüsenpillen / Ohrensalbe
    Mein Hund braucht jeden Abend {v}. / Jeden Abend muss mein Hund {v} bekommen.
    Was braucht mein Hund jeden Abend? / Was muss mein Hund abends bekommen?
    Welche Behandlung erhält unser Vierbeiner täglich?
  tortoise.place = Weinkeller / Badewanne / Gewächshaus / Waschküche / Geräteschuppen
    Der Schlafplatz meiner Schildkröte: {v}. / Meine Schildkröte hat sich als Schlafplatz {v} ausgesucht.
    Wo schläft meine Schildkröte? / Wo ist der Schlafplatz der Schildkröte?
    Wo bringen wir das Reptil über Nacht unter?
  guests.dish = DISH
    Wenn Gäste kommen, koche ich immer {v}. / Für Gäste mache ich immer mein {v}.
    Was koche ich, wenn ein Gast kommt? / Was mache ich für Gäste?
    Welches Rezept ist meine Spezialität bei Besuch?
  self.allergy = Haselnüsse / Erdnüsse / Penizillin / Senf / Austern / Latex / Soja
    Ich bin allergisch gegen {v}. / Ich habe immer ein Notfallset dabei, weil ich gegen {v} allergisch bin.
    Wogegen bin ich allergisch? / Welche Allergie habe ich?
    Welcher Stoff ist gefährlich für mich? / Was muss ein Kellner von mir fernhalten?
  self.medicine = Metformin / Ramipril / Levothyroxin / Atorvastatin / Warfarin / Omeprazol
    Ich nehme jeden Morgen {v}. / Mein Arzt hat mir {v} verschrieben, das nehme ich jeden Morgen.
    Was nehme ich jeden Morgen? / Was haben mir die Ärzte verschrieben?
    Welche Tabletten schlucke ich? / Welches Medikament brauche ich?
  self.operation = Blinddarm / Mandeln / Meniskus / Gallenblase / Weisheitszähne / Leistenbruch
    Als Student wurde ich operiert: {v}. / Meine Operation als Student: {v}.
    Woran wurde ich als Student operiert? / Welche Operation hatte ich als Student?
    Was haben Chirurgen damals mit meinem Körper gemacht?
  self.condition = Asthma / Migräne / Neurodermitis / Tinnitus / Gicht / Schwindel / Ischias
    Ich leide seit Jahren unter {v}. / Das Wetter ist schlecht, wenn man wie ich seit der Kindheit unter {v} leidet.
    Worunter leide ich seit Jahren? / Welches Leiden habe ich?
    Welche chronischen Beschwerden plagen mich?
  self.birthplace = TOWN
    Ich bin in {v} geboren. / Ursprünglich komme ich aus {v}. / Mein Geburtsort ist {v}.
    Wo wurde ich geboren? / Woher komme ich ursprünglich?
    In welcher Stadt war ich ein Baby?
  self.middlename = MAN
    Mein zweiter Vorname ist {v}. / Kaum einer weiß, dass mein zweiter Vorname {v} ist.
    Was ist mein zweiter Vorname? / Welchen zweiten Vornamen habe ich?
    Was steht zwischen meinem Rufnamen und meinem Familiennamen?
  self.fear = Rolltreppen / Spinnen / Donner / Tauben / Aufzügen / Nadeln / Motten
    Ich habe Angst vor {v}. / Es ist albern, aber ich habe Angst vor {v}.
    Wovor habe ich Angst? / Welche Ängste habe ich?
    Was erschreckt mich? / Welche Phobie quält mich?
  self.drink = Rooibos / Oolong / Lapsang / Sencha / Darjeeling / Pfefferminze
    Mein Lieblingstee ist {v}. / Kein Tee schmeckt mir besser als {v}.
    Was ist mein Lieblingstee? / Welchen Tee mag ich am liebsten?
    Welches heiße Getränk sollte mir ein Gastgeber aufbrühen?
  self.colour = Türkis / Magenta / Ocker / Zinnoberrot / Indigo / Lavendel
    Meine Lieblingsfarbe ist {v}. / Ich würde alles in {v} streichen, meiner Lieblingsfarbe.
    Was ist meine Lieblingsfarbe? / Welche Farbe mag ich am liebsten?
    In welchem Ton sollte man mir einen Schal stricken?
  self.book = TITLE
    Mein Lieblingsroman ist {v}. / Ich habe {v} fünfmal gelesen, das ist mein Lieblingsroman.
    Was ist mein Lieblingsroman? / Welchen Roman habe ich fünfmal gelesen?
    Welches Werk der Literatur schätze ich am meisten?
  self.dish = DISH
    Mein Lieblingsgericht ist {v}. / Ich könnte jeden Tag {v} essen, mein Lieblingsgericht.
    Was ist mein Lieblingsgericht? / Welches Gericht mag ich am liebsten?
    Welches Essen würde mich aufheitern?
  self.language = LANGUAGE
    Zu Hause sprachen wir {v}, als ich ein Kind war. / Als Kind habe ich zu Hause {v} gesprochen.
    Welche Sprache habe ich als Kind zu Hause gesprochen? / Was sprachen wir zu Hause, als ich ein Kind war?
    Was ist meine Muttersprache?
  hobby.music = INSTRUMENT
    In meiner Freizeit spiele ich {v}. / Ich entspanne mich, indem ich in der Freizeit {v} spiele.
    Was spiele ich in meiner Freizeit? / Welches Instrument spiele ich?
    Wie mache ich selbst Musik? / Was brächte ich zu einer Jamsession mit?
  hobby.sport = Fechten / Badminton / Bogenschießen / Rudern / Curling / Judo / Bouldern
    Mein Sport ist {v}. / Die Sportart, die ich treibe, ist {v}.
    Was ist mein Sport? / Welche Sportarten treibe ich?
    Wie halte ich mich fit?
  hobby.craft = Buchbinden / Holzschnitzen / Töpfern / Sticken / Origami / Kalligrafie / Intarsien
    Mein neues Hobby ist {v}. / Ich habe ein neues Hobby angefangen: {v}.
    Was ist mein neues Hobby? / Welches Hobby habe ich angefangen?
    Was fertige ich an ruhigen Wochenenden mit den Händen?
  weekly.class = Tango / Yoga / Aktzeichnen / Gebärdensprache / Schreibwerkstatt / Improvisationstheater
    Dienstags habe ich einen Kurs: {v}. / Mein Dienstagabend gehört dem Kurs {v}.
    Welchen Kurs habe ich dienstags? / Welcher Kurs ist am Dienstagabend?
    Was lerne ich abends zu Beginn der Woche?
  weekly.volunteer = Tafel / Tierheim / Hospiz / Reparaturcafé / Bergwacht / Suppenküche
    Samstags arbeite ich ehrenamtlich, Stichwort {v}. / Mein Ehrenamt am Samstag: {v}.
    Wo arbeite ich samstags ehrenamtlich? / Was ist mein Ehrenamt?
    Welchem guten Zweck widme ich meine Wochenenden?
  weekly.call = MAN
    Sonntags rufe ich mein Patenkind {v} an. / Jeden Sonntag telefoniere ich mit meinem Patenkind {v}.
    Wen rufe ich sonntags an? / Wie heißt mein Patenkind?
    Für welchen Buben habe ich bei einer Taufe Verantwortung übernommen?
  vehicle.bike = MAKER
    Mein Fahrrad ist ein {v}. / Ich fahre ein {v}, das beste Fahrrad, das ich je hatte.
    Was für ein Fahrrad habe ich? / Welches Fahrrad fahre ich?
    Von welcher Marke ist mein Zweirad ohne Motor?
  vehicle.motorbike = MAKER
    Mein Motorrad ist eine alte {v}. / In der Garage steht mein Motorrad, eine alte {v}.
    Was für ein Motorrad habe ich? / Welches Motorrad steht in der Garage?
    Welches Gefährt treibt bei mir zwei Räder mit Benzin an?
  vehicle.boat = PET
    Mein Boot heißt {v}. / Ich habe mein Boot auf den Namen {v} getauft.
    Wie heißt mein Boot? / Auf welchen Namen wurde mein Boot getauft?
    Was steht am Bug meines Schiffes?
  home.stopcock = hinter der Waschmaschine / unter der Spüle / neben dem Klavier / in der Besenkammer / unter der Treppe
    Der Haupthahn unserer Wohnung ist {v}. / Falls Wasser ausläuft: Unser Haupthahn ist {v}.
    Wo ist der Haupthahn unserer Wohnung? / Wo haben wir den Haupthahn?
    Wo drehe ich daheim ab, wenn ein Rohr platzt?
  home.key = Blumentopf / Vogelhaus / Briefkasten / Gartenzwerg / Holzstapel
    Der Ersatzschlüssel unserer Wohnung liegt im {v}. / Wir verstecken den Ersatzschlüssel der Wohnung im {v}.
    Wo liegt der Ersatzschlüssel unserer Wohnung? / Wo sind die Schlüssel versteckt?
    Wie komme ich hinein, wenn ich mich ausgesperrt habe?
  home.heating = Fußtritt / Doppelklick / Haarnadel / Schraubenzieher / Faustschlag
    Die Heizung unserer Wohnung springt nur so an: {v}. / Damit die Heizung der Wohnung anspringt, hilft nur eins: {v}.
    Wie springt die Heizung unserer Wohnung an? / Was hilft, damit die Heizung anspringt?
    Was tue ich daheim, wenn die Heizkörper kalt bleiben?
  home.bakery = SURNAME
    Unser Brot kaufe ich in der Bäckerei {v}. / Unser Brot kommt aus der Bäckerei {v}.
    Wo kaufe ich unser Brot? / Aus welcher Bäckerei kommen unsere Brote?
    Wer macht unsere Frühstückssemmeln?
  work.training = COMPANY
    Ich habe meine Ausbildung bei {v} gemacht. / Nach der Schule machte ich eine Ausbildung bei {v}.
    Wo habe ich meine Ausbildung gemacht? / Bei welcher Firma war meine Ausbildung?
    Welcher Betrieb hat mich als Lehrling genommen?
  work.colleague = MAN
    Ich teile mein Büro mit {v}. / Der Kollege, mit dem ich das Büro teile, ist {v}.
    Mit wem teile ich mein Büro? / Welcher Kollege sitzt mit im Büro?
    Wer hat den Schreibtisch gegenüber von meinem?
  money.bank = STREET
    Mein Konto ist bei der {v}-Sparkasse. / Ich habe mein Erspartes bei der {v}-Sparkasse.
    Wo ist mein Konto? / Bei welcher Sparkasse habe ich mein Erspartes?
    Welches Geldinstitut nutze ich?
  plan.holiday = TOWN
    Im nächsten Sommer wollen wir im Urlaub nach {v}. / Für den Sommerurlaub haben wir ein Haus bei {v} gebucht.
    Wohin wollen wir im Urlaub? / Wo machen wir Sommerurlaub?
    Was ist unser Reiseziel in den Ferien?
  plan.purchase = Cembalo / Brennofen / Webstuhl / Espressomaschine / Nähmaschine / Hängematte / Beamer
    Ich spare auf etwas Großes: {v}. / Mein Sparplan bis zum Frühling: {v}.
    Worauf spare ich? / Wofür reicht mein Sparplan bis zum Frühling?
    Welche größere Anschaffung habe ich vor?
  date.wedding = TOWN
    Wir haben in {v} geheiratet. / Unsere Hochzeit war in {v}.
    Wo haben wir geheiratet? / Wo war unsere Hochzeit?
    An welchem Ort haben wir uns das Jawort gegeben?
  doctor.name = SURNAME
    Meine Hausärztin ist Frau Doktor {v}. / Frau Doktor {v} ist meine Hausärztin.
    Wer ist meine Hausärztin? / Wie heißt meine Hausärztin?
    Zu welcher Medizinerin gehe ich zuerst, wenn ich krank bin?
`;
